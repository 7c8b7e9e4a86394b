// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <linux/keyctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static long checked(long result) { return result < 0 ? -errno : result; }

int32_t relx_key_add(const char *description, const void *payload, size_t size) {
    return (int32_t)checked(syscall(SYS_add_key, "user", description, payload, size, KEY_SPEC_USER_KEYRING));
}

int32_t relx_key_find(const char *description) {
    return (int32_t)checked(syscall(SYS_keyctl, KEYCTL_SEARCH, KEY_SPEC_USER_KEYRING, "user", description, 0));
}

long relx_key_read(int32_t key, void *buffer, size_t size) {
    return checked(syscall(SYS_keyctl, KEYCTL_READ, key, buffer, size));
}

int relx_key_expire(int32_t key, unsigned seconds) {
    return (int)checked(syscall(SYS_keyctl, KEYCTL_SET_TIMEOUT, key, seconds));
}

int relx_key_remove(int32_t key) {
    return (int)checked(syscall(SYS_keyctl, KEYCTL_UNLINK, key, KEY_SPEC_USER_KEYRING));
}
