// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

int relx_hold_signals(const int *signals, size_t count) {
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < count; i++) sigaddset(&set, signals[i]);
    if (sigprocmask(SIG_BLOCK, &set, NULL) != 0) return -errno;
    int descriptor = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
    return descriptor >= 0 ? descriptor : -errno;
}

int relx_next_signal(int descriptor) {
    struct signalfd_siginfo facts;
    ssize_t count = read(descriptor, &facts, sizeof facts);
    return count == sizeof facts ? (int)facts.ssi_signo : 0;
}

void relx_take_signal(int number) {
    sigset_t only;
    sigset_t before;
    struct sigaction usual = {.sa_handler = SIG_DFL};
    struct sigaction earlier;
    sigemptyset(&only);
    sigaddset(&only, number);
    sigaction(number, &usual, &earlier);
    raise(number);
    sigprocmask(SIG_UNBLOCK, &only, &before);
    sigprocmask(SIG_SETMASK, &before, NULL);
    sigaction(number, &earlier, NULL);
}
