// SPDX-License-Identifier: Apache-2.0
//
// adapter_calls NAME PLACE CALLERS COUNT MESSAGE-FILE: posts the bytes of MESSAGE-FILE to /bin at PLACE, a Unix
// socket or a port of 127.0.0.1. Each of CALLERS threads posts COUNT times over its own persistent connection, after
// a tenth of COUNT for warm-up. Prints one JSON object: the times of a call in nanoseconds, and the calls per second
// of all threads together.
#include "peer.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>

static const char *place;
static char *request;
static size_t request_size, rounds;
static int64_t *times;
static pthread_barrier_t start;

static int connect_to_place(void) {
    if (place[0] == '/') return connect_to(place);
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(place)), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    int on = 1, fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address) < 0) fail(place);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return fd;
}

// Reads one reply: a head with Content-Length, and the body.
static void read_reply(int fd) {
    char buffer[1 << 16];
    size_t filled = 0, wanted = 0;
    for (;;) {
        ssize_t got = read(fd, buffer + filled, sizeof buffer - 1 - filled);
        if (got <= 0) fail("read");
        filled += (size_t)got;
        buffer[filled] = 0;
        char *end = wanted == 0 ? strstr(buffer, "\r\n\r\n") : NULL;
        if (end != NULL) {
            if (strncmp(buffer, "HTTP/1.1 200", 12) != 0) fail("status");
            char *length = strcasestr(buffer, "\r\ncontent-length:");
            if (length == NULL || length > end) fail("no length");
            wanted = (size_t)(end - buffer) + 4 + strtoul(length + 17, NULL, 10);
        }
        if (wanted != 0 && filled >= wanted) return;
        if (filled == sizeof buffer - 1) fail("reply too long");
    }
}

static void *caller(void *number) {
    int fd = connect_to_place();
    int64_t *mine = times + (size_t)number * rounds;
    for (size_t i = 0; i < rounds / 10 + 1; i++) {
        write_all(fd, request, request_size);
        read_reply(fd);
    }
    pthread_barrier_wait(&start);
    for (size_t i = 0; i < rounds; i++) {
        int64_t begin = nanoseconds();
        write_all(fd, request, request_size);
        read_reply(fd);
        mine[i] = nanoseconds() - begin;
    }
    close(fd);
    return NULL;
}

int main(int count, char **arguments) {
    if (count < 6) return 64;
    size_t size, callers = strtoul(arguments[3], NULL, 10);
    place = arguments[2];
    rounds = strtoul(arguments[4], NULL, 10);
    char *message = read_file(arguments[5], &size);
    request = malloc(size + 200);
    times = calloc(callers * rounds, sizeof *times);
    pthread_t *threads = calloc(callers, sizeof *threads);
    if (request == NULL || times == NULL || threads == NULL || rounds == 0) fail("memory");
    request_size = (size_t)sprintf(request, "POST /bin HTTP/1.1\r\nHost: localhost\r\nContent-Length: %zu\r\n\r\n", size);
    memcpy(request + request_size, message, size);
    request_size += size;
    pthread_barrier_init(&start, NULL, (unsigned)callers + 1);
    for (size_t i = 0; i < callers; i++)
        if (pthread_create(&threads[i], NULL, caller, (void *)i) != 0) fail("pthread_create");
    pthread_barrier_wait(&start);
    int64_t begin = nanoseconds();
    for (size_t i = 0; i < callers; i++) pthread_join(threads[i], NULL);
    double seconds = (double)(nanoseconds() - begin) / 1e9;
    qsort(times, callers * rounds, sizeof *times, compare_times);
    printf("{\"name\": \"%s\", \"p50\": %lld, \"rate\": %.0f}\n", arguments[1],
           (long long)times[callers * rounds / 2], (double)(callers * rounds) / seconds);
    return 0;
}
