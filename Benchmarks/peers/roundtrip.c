// SPDX-License-Identifier: Apache-2.0
//
// roundtrip NAME SOCKET CORE REQUEST-FILE COUNT [REPLY-FILE [BEFORE-FILE]]: sends the bytes of REQUEST-FILE and a
// NUL, and waits for the NUL of the reply, COUNT times over one connection, pinned to CORE, after a tenth of COUNT
// for warm-up. Prints one JSON object in nanoseconds. The first reply, without its NUL, is written to REPLY-FILE. The
// request in BEFORE-FILE is sent before each of the others and is answered before the measurement begins.
#include "peer.h"

static void keep_reply(int peer, const char *path) {
    static char reply[1 << 21];
    size_t filled = 0;
    do {
        ssize_t got = read(peer, reply + filled, sizeof reply - filled);
        if (got <= 0) fail("read");
        filled += (size_t)got;
    } while (reply[filled - 1] != 0);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0) fail(path);
    write_all(fd, reply, filled - 1);
    close(fd);
}

static void ask(int peer, const char *request, size_t size) {
    write_all(peer, request, size);
    read_to_nul(peer);
}

int main(int count, char **arguments) {
    if (count < 6) return 64;
    size_t size, size_before = 0, rounds = strtoul(arguments[5], NULL, 10);
    pin_to_core(atoi(arguments[3]));
    char *request = read_file(arguments[4], &size);
    size += 1;
    char *before = count > 7 ? read_file(arguments[7], &size_before) : NULL;
    int64_t *times = calloc(rounds + 1, sizeof *times);
    if (times == NULL || rounds == 0) fail("COUNT");
    int peer = connect_to(arguments[2]);
    if (count > 6) {
        write_all(peer, request, size);
        keep_reply(peer, arguments[6]);
    }
    for (size_t i = 0; i < rounds / 10; i++) ask(peer, request, size);
    for (size_t i = 0; i < rounds; i++) {
        if (before != NULL) ask(peer, before, size_before + 1);
        int64_t start = nanoseconds();
        ask(peer, request, size);
        times[i] = nanoseconds() - start;
    }
    print_times(arguments[1], times, rounds);
    return 0;
}
