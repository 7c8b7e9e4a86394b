// SPDX-License-Identifier: Apache-2.0
//
// echo_server SOCKET CORE [REPLY-FILE]: the lower bound for a round trip. Answers each NUL-terminated message with
// the message itself, or with the bytes of REPLY-FILE and a NUL, on one epoll loop pinned to CORE. A message may have
// up to 64 KiB.
#include "peer.h"

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

int main(int count, char **arguments) {
    if (count < 3) return 64;
    pin_to_core(atoi(arguments[2]));
    if (count > 3) {
        fixed_reply = read_file(arguments[3], &fixed_size);
        fixed_size += 1;
    }
    struct connection listener = {.fd = listen_at(arguments[1], 16)};
    int loop = epoll_create1(EPOLL_CLOEXEC);
    tell_of(loop, listener.fd, &listener);
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
            accepted->fd = accept_at(listener.fd);
            tell_of(loop, accepted->fd, accepted);
        }
    }
}
