/* SPDX-License-Identifier: Apache-2.0 */

#include "service.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

SQLITE_EXTENSION_INIT3

/* The greatest length of a reply in JSON, and of what is read at once. */
enum { LONGEST_REPLY = 64 << 20, LARGEST_READ = 1 << 29, PIECE = 256 << 10 };
/* How often a call that waits looks for an interrupt. */
enum { PATIENCE_MS = 20 };

static int fail(char **error, int code, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    sqlite3_free(*error);
    *error = sqlite3_vmprintf(format, arguments);
    va_end(arguments);
    return code;
}

static const char *variable(const char *name) {
    const char *value = getenv(name);
    return value != NULL && *value != 0 ? value : NULL;
}

/* docs/local-api.md, "The sockets". */
static void socket_path(char *path, size_t size) {
    const char *data = variable("RELATIVITYD_DATA_SOCKET");
    const char *daemon = variable("RELATIVITYD_SOCKET");
    const char *base = variable("RELATIVITYD_HOME");
    if (base == NULL) base = variable("XDG_RUNTIME_DIR");
    if (data != NULL) {
        snprintf(path, size, "%s", data);
    } else if (daemon != NULL) {
        const char *slash = strrchr(daemon, '/');
        snprintf(path, size, "%.*sdata.sock", slash == NULL ? 0 : (int)(slash - daemon + 1), daemon);
    } else if (base != NULL) {
        snprintf(path, size, "%s/relativityd/data.sock", base);
    } else {
        snprintf(path, size, "/run/user/%u/relativityd/data.sock", (unsigned)getuid());
    }
}

/* Whether sqlite3_interrupt was called. SQLite 3.40 has no function for this, but a statement that runs then ends so. */
static bool is_interrupted(sqlite3 *database) {
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(database, "SELECT 1", -1, &statement, NULL) == SQLITE_INTERRUPT) return true;
    int code = sqlite3_step(statement);
    sqlite3_finalize(statement);
    return code == SQLITE_INTERRUPT;
}

sqlite3_stmt *keep_interrupts(sqlite3 *database) {
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(database, "SELECT 1", -1, &statement, NULL) == SQLITE_OK) sqlite3_step(statement);
    return statement;
}

int service_open(struct service *service, sqlite3 *database, char **error) {
    *service = (struct service){.database = database, .socket = -1};
    char path[4096];
    socket_path(path, sizeof path);
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) return fail(error, SQLITE_CANTOPEN, "the path of the socket is too long: %s", path);
    strcpy(address.sun_path, path);
    service->socket = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (service->socket < 0) return fail(error, SQLITE_CANTOPEN, "socket: %s", strerror(errno));
    while (connect(service->socket, (struct sockaddr *)&address, sizeof address) != 0) {
        int code = errno;
        if (code == EINTR) continue;
        /* EAGAIN: the service has not yet accepted those who came before. poll() does not wait for that. */
        if (code == EAGAIN && !is_interrupted(database)) {
            poll(NULL, 0, PATIENCE_MS);
            continue;
        }
        service_close(service);
        if (code == EAGAIN) return fail(error, SQLITE_INTERRUPT, "interrupted");
        return fail(
            error, SQLITE_CANTOPEN,
            "the Data API of relativityd does not answer at %s: %s; try: systemctl --user start relativityd-data.socket",
            path, strerror(code));
    }
    return SQLITE_OK;
}

void service_close(struct service *service) {
    if (service->socket >= 0) close(service->socket);
    free(service->bytes);
    *service = (struct service){.database = service->database, .socket = -1};
}

/* Waits until the socket is ready. */
static int wait_for(struct service *service, short events, char **error) {
    for (;;) {
        struct pollfd waiting = {service->socket, events, 0};
        int count = poll(&waiting, 1, PATIENCE_MS);
        if (count > 0) return SQLITE_OK;
        if (count < 0 && errno != EINTR) return fail(error, SQLITE_IOERR, "poll: %s", strerror(errno));
        if (is_interrupted(service->database)) return fail(error, SQLITE_INTERRUPT, "interrupted");
    }
}

int service_send(struct service *service, const char *call, char **error) {
    size_t size = strlen(call) + 1; /* with the NUL that ends a message of Varlink */
    while (size > 0) {
        int code = wait_for(service, POLLOUT, error);
        if (code != SQLITE_OK) return code;
        ssize_t count = send(service->socket, call, size, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (count < 0 && errno != EINTR && errno != EAGAIN) {
            return fail(error, SQLITE_IOERR, "the Data API of relativityd ended the connection: %s", strerror(errno));
        }
        if (count > 0) {
            call += count;
            size -= (size_t)count;
        }
    }
    return SQLITE_OK;
}

/* Reads what has come, at least one byte. */
static int read_some(struct service *service, char **error) {
    if (service->start > 0) {
        memmove(service->bytes, service->bytes + service->start, service->end - service->start);
        service->end -= service->start;
        service->start = 0;
    }
    if (service->capacity - service->end < PIECE) {
        size_t capacity = service->capacity * 2 + PIECE;
        uint8_t *bytes = realloc(service->bytes, capacity);
        if (bytes == NULL) return SQLITE_NOMEM;
        service->bytes = bytes;
        service->capacity = capacity;
    }
    for (;;) {
        ssize_t count =
            recv(service->socket, service->bytes + service->end, service->capacity - service->end, MSG_DONTWAIT);
        if (count > 0) {
            service->end += (size_t)count;
            return SQLITE_OK;
        }
        if (count == 0) return fail(error, SQLITE_IOERR, "the Data API of relativityd ended the connection");
        if (errno != EINTR && errno != EAGAIN) return fail(error, SQLITE_IOERR, "recv: %s", strerror(errno));
        int code = wait_for(service, POLLIN, error);
        if (code != SQLITE_OK) return code;
    }
}

int service_read(struct service *service, size_t count, const uint8_t **bytes, char **error) {
    if (count > LARGEST_READ) return fail(error, SQLITE_TOOBIG, "a part of the reply has %lld bytes", (long long)count);
    while (service->end - service->start < count) {
        int code = read_some(service, error);
        if (code != SQLITE_OK) return code;
    }
    *bytes = service->bytes + service->start;
    service->start += count;
    return SQLITE_OK;
}

int service_reply(struct service *service, char **reply, char **error) {
    size_t seen = 0;
    const uint8_t *end = NULL;
    for (;;) {
        size_t count = service->end - service->start;
        if (count > seen) end = memchr(service->bytes + service->start + seen, 0, count - seen);
        if (end != NULL) break;
        seen = count;
        if (count > LONGEST_REPLY) return fail(error, SQLITE_TOOBIG, "the reply is too long");
        int code = read_some(service, error);
        if (code != SQLITE_OK) return code;
    }
    const char *text = (const char *)service->bytes + service->start;
    service->start = (size_t)(end - service->bytes) + 1;
    sqlite3_stmt *statement = NULL;
    int code = json_query(
        "SELECT json_extract(?1, '$.error'), json_extract(?1, '$.parameters.message'),"
        " coalesce(json_extract(?1, '$.parameters.endpoint'), ''), coalesce(json_extract(?1, '$.parameters.reason'), '')",
        text, &statement, error);
    if (code != SQLITE_OK) return code;
    service->is_away = false;
    service->error[0] = service->reason[0] = 0;
    code = sqlite3_step(statement);
    if (code != SQLITE_ROW) {
        fail(error, SQLITE_ERROR, "the reply is no JSON");
        code = SQLITE_ERROR;
    } else if (sqlite3_column_type(statement, 0) != SQLITE_NULL) {
        const unsigned char *message = sqlite3_column_text(statement, 1);
        const char *name = (const char *)sqlite3_column_text(statement, 0);
        sqlite3_snprintf(sizeof service->error, service->error, "%s", name);
        service->is_away = strcmp(service->error, "org.relativityd.Broker.EndpointUnreachable") == 0
            || strcmp(service->error, "org.relativityd.Registry.EndpointNotFound") == 0;
        sqlite3_snprintf(sizeof service->away, service->away, "%s", sqlite3_column_text(statement, 2));
        sqlite3_snprintf(sizeof service->reason, service->reason, "%s", sqlite3_column_text(statement, 3));
        if (message == NULL || *message == 0) message = sqlite3_column_text(statement, 0);
        code = fail(error, SQLITE_ERROR, "%s", message);
    } else {
        *reply = sqlite3_mprintf("%s", text);
        code = *reply == NULL ? SQLITE_NOMEM : SQLITE_OK;
    }
    json_end(statement);
    return code;
}

void json_append(sqlite3_str *json, const char *text) { json_append_bytes(json, text, strlen(text)); }

void json_append_bytes(sqlite3_str *json, const char *text, size_t size) {
    sqlite3_str_appendchar(json, 1, '"');
    for (const char *end = text + size; text < end; text++) {
        unsigned char byte = (unsigned char)*text;
        if (byte == '"' || byte == '\\') {
            sqlite3_str_appendchar(json, 1, '\\');
            sqlite3_str_appendchar(json, 1, *text);
        } else if (byte < 0x20) {
            sqlite3_str_appendf(json, "\\u%04x", byte);
        } else {
            sqlite3_str_appendchar(json, 1, *text);
        }
    }
    sqlite3_str_appendchar(json, 1, '"');
}

int json_query(const char *sql, const char *json, sqlite3_stmt **statement, char **error) {
    /* Not the user's database: an authoriser or a missing function there must not matter. */
    sqlite3 *database = NULL;
    int code = sqlite3_open(":memory:", &database);
    if (code == SQLITE_OK) code = sqlite3_prepare_v2(database, sql, -1, statement, NULL);
    if (code == SQLITE_OK) code = sqlite3_bind_text(*statement, 1, json, -1, SQLITE_TRANSIENT);
    if (code == SQLITE_OK) return SQLITE_OK;
    fail(error, code, "%s", sqlite3_errmsg(database));
    sqlite3_finalize(*statement);
    *statement = NULL;
    sqlite3_close(database);
    return code;
}

void json_end(sqlite3_stmt *statement) {
    if (statement == NULL) return;
    sqlite3 *database = sqlite3_db_handle(statement);
    sqlite3_finalize(statement);
    sqlite3_close(database);
}
