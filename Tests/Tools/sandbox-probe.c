// SPDX-License-Identifier: Apache-2.0
//
// Replaces relativityd in systemd/relativityd.service: tries the operations that the daemon needs and those that the
// sandbox must refuse, writes one line "NAME RESULT" for each to ~/.local/state/relativityd/probe, then notifies
// systemd and feeds the watchdog until SIGTERM. RESULT is "ok" or the text of errno.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
static volatile sig_atomic_t ended;

static void end(int number) {
    (void)number;
    ended = 1;
}

static void report(FILE *out, const char *name, int ok) {
    fprintf(out, "%s %s\n", name, ok ? "ok" : strerror(errno));
}

static int can_write(const char *directory) {
    char path[256];
    snprintf(path, sizeof path, "%s/probe-write", directory);
    int fd = open(path, O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0) return 0;
    close(fd);
    return unlink(path) == 0;
}

static int can_read(const char *directory, const char *name) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return 0;
    close(fd);
    return 1;
}

static int notify(const char *text) {
    const char *path = getenv("NOTIFY_SOCKET");
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    if (path == NULL || strlen(path) >= sizeof to.sun_path) return 0;
    strcpy(to.sun_path, path);
    if (path[0] == '@') to.sun_path[0] = 0;
    socklen_t length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(path));
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    ssize_t sent = sendto(fd, text, strlen(text), 0, (struct sockaddr *)&to, length);
    close(fd);
    return sent > 0;
}

static int can_bind(const char *runtime) {
    char directory[200];
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(directory, sizeof directory, "%s/relativityd/adapters", runtime);
    if (mkdir(directory, 0700) < 0 && errno != EEXIST) return 0;
    snprintf(address.sun_path, sizeof address.sun_path, "%.80s/probe.sock", directory);
    unlink(address.sun_path);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    return bind(fd, (struct sockaddr *)&address, sizeof address) == 0 && listen(fd, 1) == 0;
}

static int can_connect(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%.100s", path);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int ok = connect(fd, (struct sockaddr *)&address, sizeof address) == 0;
    close(fd);
    return ok;
}

static int has_secret_memory(void) {
    int fd = (int)syscall(SYS_memfd_secret, O_CLOEXEC);
    if (fd < 0 || ftruncate(fd, 256 * 1024) < 0) return 0;
    char *memory = mmap(NULL, 256 * 1024, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (memory == MAP_FAILED) return 0;
    memset(memory, 1, 256 * 1024);
    return madvise(memory, 256 * 1024, MADV_DONTFORK) == 0;
}

static int has_locked_memory(void) {
    void *memory = mmap(NULL, 256 * 1024, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory != MAP_FAILED && mlock(memory, 256 * 1024) == 0 && madvise(memory, 256 * 1024, MADV_DONTDUMP) == 0;
}

static int has_executable_memory(void) {
    return mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED;
}

static int hardens_itself(void) {
    struct rlimit none = {0, 0}, files;
    if (setrlimit(RLIMIT_CORE, &none) < 0 || getrlimit(RLIMIT_NOFILE, &files) < 0) return 0;
    files.rlim_cur = files.rlim_max;
    return setrlimit(RLIMIT_NOFILE, &files) == 0 && prctl(PR_SET_DUMPABLE, 0) == 0
        && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
}

static int can_spawn(void) {
    char *arguments[] = {"/bin/true", NULL};
    pid_t child;
    int status;
    errno = posix_spawn(&child, arguments[0], NULL, NULL, arguments, environ);
    return errno == 0 && waitpid(child, &status, 0) == child && status == 0;
}

static int knows_interfaces(void) {
    struct if_nameindex *all = if_nameindex();
    if (all != NULL) if_freenameindex(all);
    return all != NULL;
}

static int has_peer_credentials(void) {
    int pair[2];
    struct ucred peer;
    socklen_t length = sizeof peer;
    return socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0
        && getsockopt(pair[0], SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 && peer.uid == geteuid();
}

int main(void) {
    const char *home = getenv("HOME"), *runtime = getenv("XDG_RUNTIME_DIR");
    char path[256];
    signal(SIGTERM, end);
    snprintf(path, sizeof path, "%s/.local/state/relativityd/probe", home);
    FILE *out = fopen(path, "w");
    if (out == NULL) {
        perror(path);
        return 1;
    }
    snprintf(path, sizeof path, "%s/.local/share/relativityd", home);
    report(out, "write-data", can_write(path));
    report(out, "write-home", can_write(home));
    report(out, "read-home", can_read(home, ".profile"));
    report(out, "read-ssh", can_read(home, ".ssh/id"));
    report(out, "read-gnupg", can_read(home, ".gnupg/key"));
    report(out, "write-runtime", can_write(runtime));
    snprintf(path, sizeof path, "%s/systemd/ask-password", runtime);
    report(out, "ask-password", can_write(path));
    report(out, "write-etc", can_write("/etc"));
    report(out, "bind-adapter", can_bind(runtime));
    snprintf(path, sizeof path, "%s/bus", runtime);
    report(out, "session-bus", can_connect(path));
    report(out, "secret-memory", has_secret_memory());
    report(out, "locked-memory", has_locked_memory());
    report(out, "executable-memory", has_executable_memory());
    report(out, "harden", hardens_itself());
    report(out, "spawn", can_spawn());
    report(out, "interfaces", knows_interfaces());
    report(out, "packet-socket", socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0) >= 0);
    report(out, "peer-credentials", has_peer_credentials());
    errno = ENOENT;
    report(out, "listen-fds", getenv("LISTEN_FDS") != NULL && atoi(getenv("LISTEN_PID")) == getpid());
    errno = ENOENT;
    report(out, "watchdog", getenv("WATCHDOG_USEC") != NULL);
    fclose(out);

    if (!notify("READY=1\nSTATUS=probing")) return 2;
    const char *limit = getenv("WATCHDOG_USEC");
    int interval = limit == NULL ? -1 : atoi(limit) / 3000;
    while (!ended) {
        notify("WATCHDOG=1");
        poll(NULL, 0, interval);
    }
    return 0;
}
