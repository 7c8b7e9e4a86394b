// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <termios.h>

static const int caught[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGALRM, SIGTSTP};
enum { caught_count = sizeof caught / sizeof *caught };

// Written before the handlers are installed and read afterwards, so that the handlers see complete values.
static int hushed_terminal = -1;
static struct termios loud;
static struct termios quiet;
static struct sigaction earlier[caught_count];

static void set(const struct termios *mode) {
    while (tcsetattr(hushed_terminal, TCSAFLUSH, mode) != 0 && errno == EINTR) {}
}

// tcsetattr, sigaction, sigprocmask and raise are all async-signal-safe (signal-safety(7)).
static void restore_and_raise(int number) {
    int saved_errno = errno;
    struct sigaction mine;
    set(&loud);
    for (int i = 0; i < caught_count; i++) {
        if (caught[i] == number) sigaction(number, &earlier[i], &mine);
    }
    sigset_t only;
    sigset_t before;
    sigemptyset(&only);
    sigaddset(&only, number);
    raise(number);
    sigprocmask(SIG_UNBLOCK, &only, &before);
    // Reached only if the process was stopped and continued, or ignores the signal.
    sigprocmask(SIG_SETMASK, &before, NULL);
    sigaction(number, &mine, NULL);
    set(&quiet);
    errno = saved_errno;
}

int relx_terminal_hush(int terminal) {
    if (tcgetattr(terminal, &loud) != 0) return -errno;
    quiet = loud;
    quiet.c_lflag &= ~(tcflag_t)(ECHO | ECHOE | ECHOK | ECHONL);
    quiet.c_lflag |= ICANON | ISIG;
    hushed_terminal = terminal;
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = restore_and_raise;
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < caught_count; i++) sigaction(caught[i], &action, &earlier[i]);
    if (tcsetattr(terminal, TCSAFLUSH, &quiet) != 0) {
        int result = -errno;
        relx_terminal_restore();
        return result;
    }
    return 0;
}

void relx_terminal_restore(void) {
    if (hushed_terminal < 0) return;
    set(&loud);
    for (int i = 0; i < caught_count; i++) sigaction(caught[i], &earlier[i], NULL);
    hushed_terminal = -1;
}
