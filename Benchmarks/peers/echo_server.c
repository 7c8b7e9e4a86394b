// SPDX-License-Identifier: Apache-2.0
//
// echo_server SOCKET CORE [REPLY-FILE]: the floor of a round trip. Answers each NUL-terminated message with itself, or
// with the bytes of REPLY-FILE and a NUL, on one epoll loop pinned to CORE. A message may be 64 KiB long.
#include "peer.h"
#include <sys/epoll.h>

struct connection {
    int fd;
    size_t filled;
    char buffer[1 << 16];
};

static const char *fixed_reply;
static size_t fixed_size;

static void answer(struct connection *peer) {
    char *start = peer->buffer, *end = peer->buffer + peer->filled, *nul;
    while ((nul = memchr(start, 0, (size_t)(end - start))) != NULL) {
        if (fixed_reply != NULL)
            write_all(peer->fd, fixed_reply, fixed_size);
        else
            write_all(peer->fd, start, (size_t)(nul + 1 - start));
        start = nul + 1;
    }
    peer->filled = (size_t)(end - start);
    memmove(peer->buffer, start, peer->filled);
}

static void serve(struct connection *peer) {
    ssize_t got = read(peer->fd, peer->buffer + peer->filled, sizeof peer->buffer - peer->filled);
    if (got <= 0) {
        close(peer->fd);
        free(peer);
        return;
    }
    peer->filled += (size_t)got;
    answer(peer);
}

static void watch(int loop, struct connection *peer) {
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = peer};
    if (epoll_ctl(loop, EPOLL_CTL_ADD, peer->fd, &event) < 0) fail("epoll_ctl");
}

int main(int count, char **arguments) {
    if (count < 3) return 64;
    pin_to_core(atoi(arguments[2]));
    if (count > 3) {
        fixed_reply = read_file(arguments[3], &fixed_size);
        fixed_size += 1;
    }
    struct sockaddr_un address = unix_address(arguments[1]);
    struct connection listener = {.fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
    unlink(arguments[1]);
    if (bind(listener.fd, (struct sockaddr *)&address, sizeof address) < 0 || listen(listener.fd, 16) < 0)
        fail(arguments[1]);
    int loop = epoll_create1(EPOLL_CLOEXEC);
    watch(loop, &listener);
    for (;;) {
        struct epoll_event events[64];
        int ready = epoll_wait(loop, events, 64, -1);
        for (int i = 0; i < ready; i++) {
            struct connection *peer = events[i].data.ptr;
            if (peer != &listener) {
                serve(peer);
                continue;
            }
            struct connection *accepted = calloc(1, sizeof *accepted);
            if (accepted == NULL) fail("calloc");
            accepted->fd = accept4(listener.fd, NULL, NULL, SOCK_CLOEXEC);
            if (accepted->fd < 0) fail("accept4");
            watch(loop, accepted);
        }
    }
}
