// SPDX-License-Identifier: Apache-2.0
//
// Functions that the peers share. On any failure they print the failed operation and exit, because a benchmark that
// continues after an error measures something else.
#pragma once
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static inline _Noreturn void fail(const char *what) {
    fprintf(stderr, "%s: %s\n", what, errno != 0 ? strerror(errno) : "failed");
    exit(1);
}

static inline int64_t nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static inline void pin_to_core(int core) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(core, &set);
    if (sched_setaffinity(0, sizeof set, &set) < 0) fail("sched_setaffinity");
}

static inline struct sockaddr_un unix_address(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    errno = ENAMETOOLONG;
    if (strlen(path) >= sizeof address.sun_path) fail(path);
    strcpy(address.sun_path, path);
    errno = 0;
    return address;
}

static inline int connect_to(const char *path) {
    struct sockaddr_un address = unix_address(path);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address) < 0) fail(path);
    return fd;
}

static inline int listen_at(const char *path, int backlog) {
    struct sockaddr_un address = unix_address(path);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    unlink(path);
    if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof address) < 0 || listen(fd, backlog) < 0) fail(path);
    return fd;
}

static inline int accept_at(int listener) {
    int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    if (fd < 0) fail("accept4");
    return fd;
}

// Makes `loop` report with `data` when `fd` is readable.
static inline void tell_of(int loop, int fd, void *data) {
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = data};
    if (epoll_ctl(loop, EPOLL_CTL_ADD, fd, &event) < 0) fail("epoll_ctl");
}

// Reads a complete file and appends a NUL, which *size does not include.
static inline char *read_file(const char *path, size_t *size) {
    struct stat status;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &status) < 0) fail(path);
    *size = (size_t)status.st_size;
    char *bytes = calloc(1, *size + 1);
    if (bytes == NULL || read(fd, bytes, *size) != (ssize_t)*size) fail(path);
    close(fd);
    return bytes;
}

static inline void write_all(int fd, const char *bytes, size_t size) {
    while (size > 0) {
        ssize_t written = write(fd, bytes, size);
        if (written < 0) fail("write");
        bytes += written;
        size -= (size_t)written;
    }
}

// Reads up to and including the next NUL, and returns the number of bytes. The peer sends nothing else without a
// request.
static inline size_t read_to_nul(int fd) {
    static char buffer[1 << 18];
    size_t total = 0;
    for (;;) {
        ssize_t got = read(fd, buffer, sizeof buffer);
        if (got <= 0) fail("read");
        total += (size_t)got;
        if (buffer[got - 1] == 0) return total;
    }
}

static inline int compare_times(const void *left, const void *right) {
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

// Prints one JSON object in nanoseconds. Sorts `times`.
static inline void print_times(const char *name, int64_t *times, size_t count) {
    qsort(times, count, sizeof *times, compare_times);
    printf("{\"name\": \"%s\", \"count\": %zu, \"min\": %lld, \"p50\": %lld, \"p99\": %lld}\n", name, count,
           (long long)times[0], (long long)times[count / 2], (long long)times[count * 99 / 100]);
}
