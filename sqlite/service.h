/* SPDX-License-Identifier: Apache-2.0 */

#ifndef RELATIVITY_SERVICE_H
#define RELATIVITY_SERVICE_H

#include <sqlite3ext.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Calls of the Data API, org.relativityd.Data, over its Unix socket. Every function returns a result code of SQLite. An error
 * has a text for users, which the caller frees with sqlite3_free.
 */

struct service {
    sqlite3 *database; /* asked for interrupts while a call waits */
    int socket;        /* -1 if there is none */
    uint8_t *bytes;    /* read and not taken */
    size_t start, end, capacity;
    bool is_away;  /* whether the last reply is the error of a server that cannot be reached, or is no longer announced */
    char away[65]; /* its ID, if that reply has it */
    char error[80]; /* the name of the error in the last reply; empty if it is none */
    char reason[32]; /* why edits were refused, if that reply says so */
};

/*
 * Starts a statement, which the caller finalizes. If none runs, SQLite forgets an interrupt when one begins, so also when a
 * call that waits looks for it. None may run while another one is prepared, which connects and plans virtual tables.
 */
sqlite3_stmt *keep_interrupts(sqlite3 *database);

/* Connects to $RELATIVITYD_DATA_SOCKET, or to data.sock next to the daemon's socket. */
int service_open(struct service *service, sqlite3 *database, char **error);

void service_close(struct service *service);

/* Sends a call, a JSON object in UTF-8. */
int service_send(struct service *service, const char *call, char **error);

/*
 * Reads a reply, which the caller frees with sqlite3_free. An error of the API is SQLITE_ERROR with its message.
 */
int service_reply(struct service *service, char **reply, char **error);

/* Reads count bytes, which are valid until the next read. */
int service_read(struct service *service, size_t count, const uint8_t **bytes, char **error);

/* Appends a text as a string of JSON. */
void json_append(sqlite3_str *json, const char *text);

/* The same for a text that may contain NUL. */
void json_append_bytes(sqlite3_str *json, const char *text, size_t size);

/* Prepares a statement of JSON functions with a text as its parameter, in a database of its own, which json_end closes. */
int json_query(const char *sql, const char *json, sqlite3_stmt **statement, char **error);

/* Ends a statement of json_query. NULL has no effect. */
void json_end(sqlite3_stmt *statement);

#endif
