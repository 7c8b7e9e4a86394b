// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#ifndef SYS_memfd_secret
#define SYS_memfd_secret 447
#endif

int relx_tell_senders(int socket) {
    int on = 1;
    return setsockopt(socket, SOL_SOCKET, SO_PASSCRED, &on, sizeof on) == 0 ? 0 : -errno;
}

long relx_receive_from(int socket, void *buffer, size_t size, uid_t *uid) {
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(sizeof(struct ucred))];
    } control;
    struct iovec part = {.iov_base = buffer, .iov_len = size};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    ssize_t count = recvmsg(socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (count < 0) return -errno;
    if (message.msg_flags & MSG_TRUNC) return -EMSGSIZE;
    for (struct cmsghdr *entry = CMSG_FIRSTHDR(&message); entry != NULL; entry = CMSG_NXTHDR(&message, entry)) {
        if (entry->cmsg_level != SOL_SOCKET || entry->cmsg_type != SCM_CREDENTIALS) continue;
        struct ucred sender;
        memcpy(&sender, CMSG_DATA(entry), sizeof sender);
        *uid = sender.uid;
        return count;
    }
    return -EACCES;
}

void relx_close_from(void *actions, int first) {
    posix_spawn_file_actions_addclosefrom_np(actions, first);
}

void relx_share_heap(int block, int kept) {
    mallopt(M_ARENA_MAX, 1);
    mallopt(M_MMAP_THRESHOLD, block);
    mallopt(M_TRIM_THRESHOLD, kept);
}

int relx_forbid_dumping(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0 ? 0 : -errno; }

int relx_forbid_new_privileges(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 ? 0 : -errno; }

int relx_end_with_parent(void) { return prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0) == 0 ? 0 : -errno; }

int relx_contains(const void *text, size_t text_size, const void *needle, size_t needle_size) {
    return memmem(text, text_size, needle, needle_size) != NULL;
}

int relx_differ(const void *left, const void *right, size_t size) {
    const volatile unsigned char *first = left, *second = right;
    unsigned char difference = 0;
    for (size_t index = 0; index < size; ++index) difference |= first[index] ^ second[index];
    return difference;
}

int relx_map_secret_memory(size_t size, void **address) {
    int descriptor = (int)syscall(SYS_memfd_secret, O_CLOEXEC);
    if (descriptor < 0) return -errno;
    int result = 0;
    if (ftruncate(descriptor, (off_t)size) != 0) {
        result = -errno;
    } else {
        void *mapped = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
        if (mapped == MAP_FAILED) result = -errno;
        else *address = mapped;
    }
    close(descriptor);
    return result;
}

int relx_exchange(int old_directory, const char *old_name, int new_directory, const char *new_name) {
    return renameat2(old_directory, old_name, new_directory, new_name, RENAME_EXCHANGE) == 0 ? 0 : -errno;
}

int relx_rename_new(int old_directory, const char *old_name, int new_directory, const char *new_name) {
    return renameat2(old_directory, old_name, new_directory, new_name, RENAME_NOREPLACE) == 0 ? 0 : -errno;
}

int relx_try_lock_byte(int descriptor, int64_t offset) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = offset, .l_len = 1};
    return fcntl(descriptor, F_OFD_SETLK, &lock) == 0 ? 0 : -errno;
}

int relx_unlock_byte(int descriptor, int64_t offset) {
    struct flock lock = {.l_type = F_UNLCK, .l_whence = SEEK_SET, .l_start = offset, .l_len = 1};
    return fcntl(descriptor, F_OFD_SETLK, &lock) == 0 ? 0 : -errno;
}

int relx_find_lock(int descriptor, int64_t offset, int64_t length, int64_t *end) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = offset, .l_len = length};
    if (fcntl(descriptor, F_OFD_GETLK, &lock) != 0) return -errno;
    if (lock.l_type == F_UNLCK) return 0;
    *end = lock.l_len == 0 ? INT64_MAX : lock.l_start + lock.l_len;
    return 1;
}

int relx_open_unnamed(const char *directory, mode_t mode)
{
    int descriptor = open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
    return descriptor < 0 ? -errno : descriptor;
}

int relx_pipe(int ends[2])
{
    return pipe2(ends, O_CLOEXEC) == 0 ? 0 : -errno;
}

int relx_try_lock(int descriptor) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return fcntl(descriptor, F_OFD_SETLK, &lock) == 0 ? 0 : -errno;
}

int64_t relx_seconds_since_boot(void) {
    struct timespec time;
    return clock_gettime(CLOCK_BOOTTIME, &time) == 0 ? (int64_t)time.tv_sec : 0;
}

int relx_set_attribute(const char *path, const char *name, const char *value) {
    return lsetxattr(path, name, value, strlen(value), 0) == 0 ? 0 : -errno;
}
