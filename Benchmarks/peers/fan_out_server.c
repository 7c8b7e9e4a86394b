// SPDX-License-Identifier: Apache-2.0
//
// fan_out_server SOCKET DIRECTORY: the lower bound for a change that is saved and that many watchers see. A peer that asks
// for a method with "Watch" in its name gets a message of 600 bytes now and at each request of another peer, which is
// answered after them. Before that the message replaces a file in DIRECTORY, by write, fsync, rename and fsync. A request
// has up to 512 bytes, and arrives at once.
#include "peer.h"

enum { most_peers = 256, message_size = 600 };

struct peer {
    int fd, is_watcher;
};

static struct peer peers[most_peers];
static char message[message_size + 1];
static int directory;

static void save(void) {
    int fd = openat(directory, "saved.new", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0) fail("openat");
    write_all(fd, message, message_size);
    if (fsync(fd) < 0) fail("fsync");
    close(fd);
    if (renameat(directory, "saved.new", directory, "saved") < 0) fail("renameat");
    if (fsync(directory) < 0) fail("fsync");
}

static void answer(struct peer *peer) {
    char request[513] = {0};
    ssize_t got = read(peer->fd, request, sizeof request - 1);
    if (got <= 0) {
        close(peer->fd);
        *peer = (struct peer){.fd = -1};
        return;
    }
    if (strstr(request, "Watch") != NULL) {
        peer->is_watcher = 1;
        write_all(peer->fd, message, sizeof message);
        return;
    }
    save();
    for (int i = 0; i < most_peers; i++)
        if (peers[i].is_watcher) write_all(peers[i].fd, message, sizeof message);
    write_all(peer->fd, "{}", 3);
}

static struct peer *free_place(void) {
    for (int i = 0; i < most_peers; i++)
        if (peers[i].fd < 0) return &peers[i];
    fail("too many peers");
}

int main(int count, char **arguments) {
    if (count < 3) return 64;
    directory = open(arguments[2], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory < 0) fail(arguments[2]);
    memset(message, 'x', message_size);
    for (int i = 0; i < most_peers; i++) peers[i].fd = -1;
    struct peer listener = {.fd = listen_at(arguments[1], 128)};
    int loop = epoll_create1(EPOLL_CLOEXEC);
    tell_of(loop, listener.fd, &listener);
    for (;;) {
        struct epoll_event events[64];
        int ready = epoll_wait(loop, events, 64, -1);
        for (int i = 0; i < ready; i++) {
            struct peer *peer = events[i].data.ptr;
            if (peer != &listener) {
                answer(peer);
                continue;
            }
            peer = free_place();
            peer->fd = accept_at(listener.fd);
            tell_of(loop, peer->fd, peer);
        }
    }
}
