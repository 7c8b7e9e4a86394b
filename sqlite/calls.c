/* SPDX-License-Identifier: Apache-2.0 */

#include "calls.h"

#include <stdlib.h>
#include <string.h>

SQLITE_EXTENSION_INIT3

static void append_server(sqlite3_str *json, const char *server) {
    sqlite3_str_appendall(json, "\"server\":{\"endpoint\":");
    json_append(json, server);
    const char *login = getenv("RELATIVITYD_LOGIN");
    if (login != NULL && *login != 0) {
        sqlite3_str_appendall(json, ",\"preferredLogin\":");
        json_append(json, login);
    }
    sqlite3_str_appendchar(json, 1, '}');
}

int call(
    struct service *service, enum method method, const char *server, const char *rest, char **reply, char **error) {
    static const struct {
        const char *name, *mode, *place;
    } methods[] = {
        [LIST_TABLES] = {"ListTables", "", "server"},
        [GET_SCHEMA] = {"GetSchema", "", "server"},
        [READ] = {"Read", "\"upgrade\":true,", "server"},
        [COUNT] = {"Count", "", "server"},
        [EDIT] = {"Edit", "", "server"},
        [APPLY] = {"Apply", "", "server"},
        [DROP_PENDING] = {"DropPending", "", NULL},
        [LIST_KEPT] = {"ListKept", "", NULL},
        [READ_KEPT] = {"ReadKept", "\"upgrade\":true,", "endpoint"},
        [DESCRIBE_KEPT] = {"ReadKept", "\"more\":true,", "endpoint"},
    };
    sqlite3_str *json = sqlite3_str_new(NULL);
    sqlite3_str_appendf(
        json, "{\"method\":\"org.relativityd.Data.%s\",%s\"parameters\":{", methods[method].name, methods[method].mode);
    const char *place = methods[method].place;
    if (place != NULL && strcmp(place, "server") == 0) {
        append_server(json, server);
    } else if (place != NULL) {
        sqlite3_str_appendall(json, "\"endpoint\":");
        json_append(json, server);
    }
    /* The first of the further parameters begins with a comma. */
    sqlite3_str_appendf(json, "%s}}", place == NULL && *rest == ',' ? rest + 1 : rest);
    char *text = sqlite3_str_finish(json);
    if (text == NULL) return SQLITE_NOMEM;
    int code = service_send(service, text, error);
    sqlite3_free(text);
    return code == SQLITE_OK ? service_reply(service, reply, error) : code;
}

int ask(
    struct service *service, sqlite3 *database, enum method method, const char *server, const char *rest, char **reply,
    char **error) {
    bool is_new = service->socket < 0;
    int code = is_new ? service_open(service, database, error) : SQLITE_OK;
    if (code == SQLITE_OK) code = call(service, method, server, rest, reply, error);
    if (code == SQLITE_OK || code == SQLITE_ERROR) return code;
    service_close(service);
    if (is_new || code != SQLITE_IOERR) return code;
    sqlite3_free(*error);
    *error = NULL;
    return ask(service, database, method, server, rest, reply, error);
}
