// SPDX-License-Identifier: Apache-2.0
//
// Calls one method of relativityd and prints the reply, with nothing but sockets.
//
//     cc -o call call.c
//     ./call METHOD [PARAMETERS]      for example: ./call org.relativityd.Registry.Get '{"endpoint": "office"}'
//
// Exit code: 0 for a reply, 1 for an error, which is printed too, 2 where there is no daemon, 64 for wrong use.

#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static int connect_to_daemon(void) {
    const char *socket_path = getenv("RELATIVITYD_SOCKET");
    const char *directory = getenv("XDG_RUNTIME_DIR");
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t room = sizeof address.sun_path;
    int length;
    if (socket_path && *socket_path)
        length = snprintf(address.sun_path, room, "%s", socket_path);
    else
        length = snprintf(address.sun_path, room, "%s/relativityd/relativityd.sock", directory ? directory : "");
    if (length < 0 || (size_t)length >= room) return -1;

    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof address) == 0) return fd;
    if (fd >= 0) close(fd);
    return -1;
}

static int send_all(int fd, const char *bytes, size_t count) {
    while (count > 0) {
        ssize_t sent = send(fd, bytes, count, MSG_NOSIGNAL);
        if (sent <= 0) return -1;
        bytes += sent;
        count -= (size_t)sent;
    }
    return 0;
}

// The reply without its NUL, to be freed; NULL where the connection ended before.
static char *receive_reply(int fd) {
    size_t count = 0, room = 0;
    char *reply = NULL;
    for (;;) {
        if (room - count < 4096) {
            char *larger = realloc(reply, room += 65536);
            if (!larger) break;
            reply = larger;
        }
        ssize_t received = recv(fd, reply + count, room - count, 0);
        if (received <= 0) break;
        count += (size_t)received;
        // One call has one reply, and its NUL is the last byte that comes.
        if (reply[count - 1] == '\0') return reply;
    }
    free(reply);
    return NULL;
}

int main(int argc, char **argv) {
    if (argc < 2 || argc > 3 || strpbrk(argv[1], "\"\\")) {
        fprintf(stderr, "usage: %s METHOD [PARAMETERS]\n", argv[0]);
        return 64;
    }
    char *call;
    const char *parameters = argc == 3 ? argv[2] : "{}";
    int length = asprintf(&call, "{\"method\": \"%s\", \"parameters\": %s}", argv[1], parameters);
    if (length < 0) return 2;

    int fd = connect_to_daemon();
    if (fd < 0) {
        perror("no daemon");
        return 2;
    }
    // The NUL goes with it.
    char *reply = send_all(fd, call, (size_t)length + 1) == 0 ? receive_reply(fd) : NULL;
    close(fd);
    free(call);
    if (!reply) {
        fprintf(stderr, "the daemon closed the connection: is that JSON?\n");
        return 2;
    }
    puts(reply);
    // Only an error begins so: members come in this order.
    int status = strncmp(reply, "{\"error\":", 9) == 0;
    free(reply);
    return status;
}
