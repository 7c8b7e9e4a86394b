// SPDX-License-Identifier: Apache-2.0
//
// Writes one line "DIRECTIVE VALUE" to the file that it is given, for each directive of a sandbox of systemd. VALUE is
// what a process sees of the directive: it differs from the value outside the sandbox if the directive is in force. The
// manager of a user ignores some directives without a message.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/timex.h>
#include <sys/wait.h>
#include <unistd.h>

static FILE *out;

static void value(const char *directive, const char *text) { fprintf(out, "%s %s\n", directive, text); }

static void outcome(const char *directive, long result) { value(directive, result < 0 ? strerror(errno) : "ok"); }

static void number(const char *directive, long long number) { fprintf(out, "%s %lld\n", directive, number); }

static void link_text(const char *directive, const char *path) {
    char text[256];
    ssize_t length = readlink(path, text, sizeof text - 1);
    text[length < 0 ? 0 : length] = 0;
    value(directive, length < 0 ? strerror(errno) : text);
}

static void file_system(const char *directive, const char *path) {
    struct statvfs facts;
    value(directive, statvfs(path, &facts) < 0 ? strerror(errno) : facts.f_flag & ST_RDONLY ? "read-only" : "writable");
}

// The line of a file that begins with a word, or that names a mount point.
static void line(const char *directive, const char *path, const char *part) {
    char text[4096], found[4096] = "none";
    FILE *file = fopen(path, "r");
    while (file != NULL && fgets(text, sizeof text, file) != NULL)
        if (strstr(text, part) != NULL) strcpy(found, text);
    if (file != NULL) fclose(file);
    found[strcspn(found, "\n")] = 0;
    value(directive, found);
}

static int entries(const char *path) {
    int count = 0;
    DIR *directory = opendir(path);
    if (directory == NULL) return -1;
    while (readdir(directory) != NULL) count++;
    closedir(directory);
    return count;
}

#ifdef __x86_64__
static long call_of_32_bits(void) {
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(20L) : "memory");
    return result;
}
#else
static long call_of_32_bits(void) { return -1; }
#endif

// In a child, because the call may end the process.
static void in_child(const char *directive, long (*call)(void)) {
    pid_t child = fork();
    if (child == 0) _exit(call() < 0 ? 1 : 0);
    int status = 0;
    waitpid(child, &status, 0);
    number(directive, status);
}

static long trace(void) { return ptrace(PTRACE_TRACEME, 0, NULL, NULL); }

int main(int count, char **arguments) {
    const char *home = getenv("HOME");
    if (count != 2 || home == NULL) return 64;
    out = fopen(arguments[1], "w");
    if (out == NULL) return 1;

    link_text("PrivateUsers", "/proc/self/ns/user");
    link_text("PrivateMounts", "/proc/self/ns/mnt");
    link_text("ProtectHostname", "/proc/self/ns/uts");
    link_text("PrivateNetwork", "/proc/self/ns/net");
    file_system("ProtectSystem", "/usr");
    file_system("ProtectHome", home);
    file_system("ProtectControlGroups", "/sys/fs/cgroup");
    file_system("ProtectKernelTunables", "/proc/sys");
    line("PrivateTmp", "/proc/self/mountinfo", " /tmp ");
    line("ProtectKernelLogs", "/proc/self/mountinfo", " /proc/kmsg ");
    number("PrivateDevices", entries("/dev"));
    number("ProtectKernelModules", entries("/usr/lib/modules"));
    line("CapabilityBoundingSet", "/proc/self/status", "CapBnd:");
    number("NoNewPrivileges", prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0));
    mode_t mask = umask(0);
    umask(mask);
    number("UMask", mask);
    struct rlimit core = {0, 0};
    getrlimit(RLIMIT_CORE, &core);
    number("LimitCORE", core.rlim_max == RLIM_INFINITY ? -1 : (long long)core.rlim_max);

    outcome("LockPersonality", personality(ADDR_NO_RANDOMIZE));
    void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    outcome("MemoryDenyWriteExecute", memory == MAP_FAILED ? -1 : 0);
    // Outside, the descriptor is invalid.
    outcome("RestrictNamespaces", setns(-1, CLONE_NEWUTS));
    // Outside, the priority is invalid.
    struct sched_param priority = {.sched_priority = 0};
    outcome("RestrictRealtime", sched_setscheduler(0, SCHED_FIFO, &priority));
    outcome("RestrictSUIDSGID", fchmod(fileno(out), 04600));
    fchmod(fileno(out), 0600);
    outcome("RestrictAddressFamilies", socket(AF_VSOCK, SOCK_STREAM | SOCK_CLOEXEC, 0));
    struct timex clock = {.modes = 0};
    outcome("ProtectClock", adjtimex(&clock));
    number("KeyringMode", syscall(SYS_keyctl, 0L, -3L, 0L));
    in_child("SystemCallArchitectures", call_of_32_bits);
    in_child("SystemCallFilter", trace);
    // The same, because another value of SystemCallErrorNumber= ends the child by a signal.
    in_child("SystemCallErrorNumber", trace);
    outcome("SystemCallFilter=~@resources", setpriority(PRIO_PROCESS, 0, 1));
    outcome("SystemCallFilter=~@privileged", setuid(getuid()));
    return fclose(out) == 0 ? 0 : 1;
}
