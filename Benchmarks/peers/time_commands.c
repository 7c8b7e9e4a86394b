// SPDX-License-Identifier: Apache-2.0
//
// time_commands ROUNDS NAME COMMAND... [-- NAME COMMAND...]...: runs the commands in turn, ROUNDS times, discards
// their output, and prints one JSON object for each: the time in nanoseconds from before the start of the process to
// after its end. A command that fails ends the run.
#include "peer.h"
#include <spawn.h>
#include <sys/wait.h>

enum { most_commands = 16 };

struct command {
    char *name;
    char **arguments;
    int64_t *times;
};

extern char **environ;

static int64_t run(struct command *command, posix_spawn_file_actions_t *silence) {
    pid_t child;
    int status;
    int64_t start = nanoseconds();
    errno = posix_spawnp(&child, command->arguments[0], silence, NULL, command->arguments, environ);
    if (errno != 0 || waitpid(child, &status, 0) != child) fail(command->arguments[0]);
    int64_t elapsed = nanoseconds() - start;
    if (status != 0) {
        errno = 0;
        fail(command->name);
    }
    return elapsed;
}

int main(int count, char **arguments) {
    struct command commands[most_commands];
    int known = 0, rounds = count > 1 ? atoi(arguments[1]) : 0;
    for (int i = 2; i + 1 < count && known < most_commands; i++) {
        commands[known] = (struct command){arguments[i], arguments + i + 1, calloc((size_t)rounds + 1, sizeof(int64_t))};
        known++;
        while (i < count && strcmp(arguments[i], "--") != 0) i++;
        if (i < count) arguments[i] = NULL;
    }
    if (rounds < 1 || known == 0) return 64;

    posix_spawn_file_actions_t silence;
    posix_spawn_file_actions_init(&silence);
    posix_spawn_file_actions_addopen(&silence, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&silence, 1, "/dev/null", O_WRONLY, 0);
    for (int i = 0; i < known; i++) run(&commands[i], &silence);
    for (int round = 0; round < rounds; round++)
        for (int i = 0; i < known; i++) commands[i].times[round] = run(&commands[i], &silence);
    for (int i = 0; i < known; i++) print_times(commands[i].name, commands[i].times, (size_t)rounds);
    return 0;
}
