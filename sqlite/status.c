/* SPDX-License-Identifier: Apache-2.0 */

#include "table.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

struct status {
    sqlite3_vtab base;
    struct connection *connection;
};

struct status_cursor {
    sqlite3_vtab_cursor base;
    int number; /* of the table; a table may be dropped meanwhile, so nothing points to it */
};

static const struct relativity_table *table_at(const struct status_cursor *cursor) {
    const struct relativity_table *table = ((struct status *)cursor->base.pVtab)->connection->tables;
    for (int i = 0; table != NULL && i < cursor->number; i++) table = table->next;
    return table;
}

static int connect_status(
    sqlite3 *database, void *context, int count, const char *const *arguments, sqlite3_vtab **result, char **error) {
    (void)count, (void)arguments, (void)error;
    int code = sqlite3_declare_vtab(
        database, "CREATE TABLE x(name TEXT, server TEXT, server_table TEXT, state TEXT, saved TEXT, reason TEXT)");
    if (code != SQLITE_OK) return code;
    struct status *status = sqlite3_malloc64(sizeof *status);
    if (status == NULL) return SQLITE_NOMEM;
    *status = (struct status){.connection = context};
    *result = &status->base;
    return SQLITE_OK;
}

static int disconnect_status(sqlite3_vtab *table) {
    sqlite3_free(table);
    return SQLITE_OK;
}

static int best_index(sqlite3_vtab *table, sqlite3_index_info *info) {
    (void)table;
    info->estimatedCost = 100;
    return SQLITE_OK;
}

static int open_cursor(sqlite3_vtab *table, sqlite3_vtab_cursor **result) {
    (void)table;
    struct status_cursor *cursor = sqlite3_malloc64(sizeof *cursor);
    if (cursor == NULL) return SQLITE_NOMEM;
    memset(cursor, 0, sizeof *cursor);
    *result = &cursor->base;
    return SQLITE_OK;
}

static int close_cursor(sqlite3_vtab_cursor *cursor) {
    sqlite3_free(cursor);
    return SQLITE_OK;
}

static int filter(sqlite3_vtab_cursor *cursor, int number, const char *plan, int count, sqlite3_value **values) {
    (void)number, (void)plan, (void)count, (void)values;
    ((struct status_cursor *)cursor)->number = 0;
    return SQLITE_OK;
}

static int next(sqlite3_vtab_cursor *cursor) {
    ((struct status_cursor *)cursor)->number++;
    return SQLITE_OK;
}

static int is_at_end(sqlite3_vtab_cursor *cursor) { return table_at((struct status_cursor *)cursor) == NULL; }

static int column(sqlite3_vtab_cursor *cursor, sqlite3_context *context, int number) {
    const struct relativity_table *table = table_at((struct status_cursor *)cursor);
    if (table == NULL) return SQLITE_OK;
    const char *state = table->kept == NULL ? "live" : "kept";
    const char *texts[] = {table->label, table->server, table->name, state, table->saved, table->reason};
    sqlite3_result_text(context, texts[number], -1, SQLITE_TRANSIENT);
    return SQLITE_OK;
}

static int row_id(sqlite3_vtab_cursor *cursor, sqlite3_int64 *result) {
    *result = ((struct status_cursor *)cursor)->number;
    return SQLITE_OK;
}

const sqlite3_module status_module = {
    .xConnect = connect_status,
    .xBestIndex = best_index,
    .xDisconnect = disconnect_status,
    .xOpen = open_cursor,
    .xClose = close_cursor,
    .xFilter = filter,
    .xNext = next,
    .xEof = is_at_end,
    .xColumn = column,
    .xRowid = row_id,
};
