// SPDX-License-Identifier: Apache-2.0
//
// LD_PRELOAD library for faults that strace cannot inject into a system call:
//   TAMPER=write:N   the Nth write writes one byte only
//   TAMPER=close:N   the Nth close closes, and reports an error
// Calls count from the start of the process, on threads of NIO's thread pool. The fault creates the file TAMPER_MARK.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int is_due(const char *kind) {
    static atomic_int calls;
    char thread[16] = "";
    const char *wish = getenv("TAMPER");
    size_t length = strlen(kind);
    if (!wish || strncmp(wish, kind, length) != 0 || wish[length] != ':') return 0;
    if (pthread_getname_np(pthread_self(), thread, sizeof thread) != 0 || strncmp(thread, "TP-", 3) != 0) return 0;
    if (atomic_fetch_add(&calls, 1) + 1 != atoi(wish + length + 1)) return 0;
    int mark = open(getenv("TAMPER_MARK"), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    if (mark >= 0) syscall(SYS_close, mark);
    return 1;
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
    return syscall(SYS_pwrite64, file, bytes, count > 1 && is_due("write") ? 1 : count, offset);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) { return pwrite(file, bytes, count, offset); }

ssize_t write(int file, const void *bytes, size_t count) {
    return syscall(SYS_write, file, bytes, count > 1 && is_due("write") ? 1 : count);
}

int close(int file) {
    int is_tampered = is_due("close");
    int result = (int)syscall(SYS_close, file);
    if (!is_tampered) return result;
    errno = EIO;
    return -1;
}
