// SPDX-License-Identifier: Apache-2.0
//
// forwarder SOCKET PORT: the lower bound for any program between a caller and a server. Forwards the bytes of each
// connection to SOCKET over a separate connection to PORT of 127.0.0.1, and back, on one epoll loop, without parsing
// them.
#include "peer.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>

struct end {
    int fd;
    struct end *other;
};

static int connect_to_port(const char *port) {
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(port)), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    int on = 1, fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address) < 0) fail(port);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return fd;
}

static void accept_caller(int loop, int listener, const char *port) {
    // Both ends of a connection are closed together and never reused, because a pending event may still refer to
    // them.
    struct end *caller = calloc(2, sizeof *caller), *server = caller + 1;
    if (caller == NULL) fail("calloc");
    *caller = (struct end){accept_at(listener), server};
    *server = (struct end){connect_to_port(port), caller};
    tell_of(loop, caller->fd, caller);
    tell_of(loop, server->fd, server);
}

static void pass_on(struct end *from) {
    static char buffer[1 << 16];
    if (from->fd < 0) return;
    ssize_t got = read(from->fd, buffer, sizeof buffer);
    if (got > 0) {
        write_all(from->other->fd, buffer, (size_t)got);
        return;
    }
    close(from->fd);
    close(from->other->fd);
    from->fd = from->other->fd = -1;
}

int main(int count, char **arguments) {
    if (count < 3) return 64;
    struct end listener = {.fd = listen_at(arguments[1], 64)};
    int loop = epoll_create1(EPOLL_CLOEXEC);
    tell_of(loop, listener.fd, &listener);
    for (;;) {
        struct epoll_event events[64];
        int ready = epoll_wait(loop, events, 64, -1);
        for (int i = 0; i < ready; i++) {
            struct end *end = events[i].data.ptr;
            if (end == &listener)
                accept_caller(loop, listener.fd, arguments[2]);
            else
                pass_on(end);
        }
    }
}
