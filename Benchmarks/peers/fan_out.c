// SPDX-License-Identifier: Apache-2.0
//
// fan_out NAME SOCKET ENDPOINT WATCHERS ROUNDS: measures the time until all watchers have received a change. Processes of
// 25 watchers each watch the list; then ENDPOINT is hidden and shown alternately. Prints one JSON object: the times
// in nanoseconds from before the request is sent until the last watcher has read the change.
#include "peer.h"
#include <signal.h>
#include <stdatomic.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

enum { most_rounds = 1000, watchers_of_a_process = 25 };

// Memory that the processes share.
struct board {
    atomic_int heard[most_rounds + 1];  // number of watchers that have received it; the first is the snapshot
    _Atomic int64_t last[most_rounds + 1];  // time of the last watcher
};

static void hear(struct board *board, int message) {
    int64_t now = nanoseconds();
    int64_t last = atomic_load(&board->last[message]);
    while (last < now && !atomic_compare_exchange_weak(&board->last[message], &last, now)) {
    }
    atomic_fetch_add(&board->heard[message], 1);
}

static _Noreturn void watch(const char *socket, int watchers, struct board *board) {
    static const char request[] = "{\"method\":\"org.relativityd.Registry.Watch\",\"more\":true}";
    static char buffer[1 << 18];
    int loop = epoll_create1(EPOLL_CLOEXEC), messages[watchers_of_a_process] = {0}, peers[watchers_of_a_process];
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (int i = 0; i < watchers; i++) {
        struct epoll_event event = {.events = EPOLLIN, .data.u32 = (uint32_t)i};
        peers[i] = connect_to(socket);
        if (epoll_ctl(loop, EPOLL_CTL_ADD, peers[i], &event) < 0) fail("epoll_ctl");
        write_all(peers[i], request, sizeof request);
    }
    for (;;) {
        struct epoll_event events[watchers_of_a_process];
        int ready = epoll_wait(loop, events, watchers_of_a_process, -1);
        for (int i = 0; i < ready; i++) {
            int watcher = (int)events[i].data.u32;
            ssize_t got = read(peers[watcher], buffer, sizeof buffer);
            if (got <= 0) fail("read");
            for (ssize_t at = 0; at < got; at++)
                if (buffer[at] == 0 && messages[watcher] <= most_rounds) hear(board, messages[watcher]++);
        }
    }
}

static void await(struct board *board, int message, int watchers) {
    for (int tries = 0; atomic_load(&board->heard[message]) < watchers; tries++) {
        if (tries > 10000) fail("waited in vain for the watchers");
        usleep(1000);  // not measured: the watchers record the time
    }
}

int main(int count, char **arguments) {
    int watchers = count > 5 ? atoi(arguments[4]) : 0, rounds = count > 5 ? atoi(arguments[5]) : 0, processes = 0;
    if (watchers < 1 || rounds < 1 || rounds > most_rounds) return 64;
    struct board *board = mmap(NULL, sizeof *board, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int64_t *times = calloc((size_t)rounds, sizeof *times);
    pid_t *children = calloc((size_t)watchers, sizeof *children);
    if (board == MAP_FAILED || times == NULL || children == NULL) fail("memory");
    for (int left = watchers; left > 0; left -= watchers_of_a_process) {
        pid_t child = fork();
        if (child < 0) fail("fork");
        if (child == 0) watch(arguments[2], left < watchers_of_a_process ? left : watchers_of_a_process, board);
        children[processes++] = child;
    }
    await(board, 0, watchers);

    int caller = connect_to(arguments[2]);
    for (int round = 1; round <= rounds; round++) {
        char request[512];
        int size = snprintf(request, sizeof request,
                            "{\"method\":\"org.relativityd.Registry.Set\",\"parameters\":{\"endpoint\":\"%s\",\"hidden\":%s}}",
                            arguments[3], round % 2 == 1 ? "true" : "false");
        int64_t start = nanoseconds();
        write_all(caller, request, (size_t)size + 1);
        await(board, round, watchers);
        times[round - 1] = atomic_load(&board->last[round]) - start;
        read_to_nul(caller);
        usleep(20000);  // stays below the limit of changes per second, so that no change is delayed
    }
    print_times(arguments[1], times, (size_t)rounds);
    for (int i = 0; i < processes; i++) {
        kill(children[i], SIGKILL);
        waitpid(children[i], NULL, 0);
    }
    return 0;
}
