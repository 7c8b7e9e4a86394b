/* SPDX-License-Identifier: Apache-2.0 */

#include "changes.h"

#include "calls.h"
#include "values.h"

#include <stdlib.h>
#include <string.h>

SQLITE_EXTENSION_INIT3

/* A call of the Data API has 256 KiB at most; a pending set has this number of changes at most. */
enum { LARGEST_CALL = 240 << 10, MOST_EDITS = 10000 };

/* A call of xUpdate. */
struct edit {
    const struct relativity_table *owner;
    int number;              /* in the transaction */
    char *table;             /* the name at the server */
    char *json;              /* a member of "edits" */
    char *expected;          /* the values that the row had at the server; NULL for a new row */
    sqlite3_int64 row_id;    /* of the row that it changes, unless has_no_row_id */
    bool has_no_row_id;      /* a new row whose key is not known, or is no integer */
    sqlite3_int64 temporary; /* the temporary key of a new row; 0 if it has none */
    sqlite3_int64 counted;   /* the key that the set counts for it, also if it has a key of its own; 0 if none */
};

/* A new row with a key that the server makes. */
struct new_row {
    char *table;
    char *field;
    sqlite3_int64 number; /* of the change in its table */
    sqlite3_int64 temporary;
    char *key; /* NULL before the server has made it */
};

static int fail(char **error, int code, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    sqlite3_free(*error);
    *error = sqlite3_vmprintf(format, arguments);
    va_end(arguments);
    return code;
}

/* From now on the transaction can only be rolled back. */
static int end_with(struct changes *changes, int code, char **error) {
    sqlite3_free(changes->failure);
    changes->failure = sqlite3_mprintf("%s", *error == NULL ? sqlite3_errstr(code) : *error);
    changes->failure_code = code;
    return code;
}

/* A value of JSON as a text for users. */
#define SHOWN(value) \
    "iif(" value " IS NULL, 'NULL', iif(" value " GLOB '*[^-0-9.]*' OR " value " = '', quote(" value "), " value "))"

static bool is_same_table(const char *left, const char *right) { return sqlite3_stricmp(left, right) == 0; }

/* MARK: Rows that a statement has found */

int changes_remember(struct relativity_table *table, sqlite3_int64 row_id, char *key, char *expected) {
    /* Those beyond have no edit: the pending set does not take so many. */
    int code = key == NULL || expected == NULL ? SQLITE_NOMEM : SQLITE_OK;
    if (code == SQLITE_OK && table->found_count == table->found_capacity && table->found_count <= MOST_EDITS) {
        int capacity = table->found_capacity * 2 + 16;
        struct found_row *found = sqlite3_realloc64(table->found, sizeof *found * (sqlite3_uint64)capacity);
        if (found == NULL) {
            code = SQLITE_NOMEM;
        } else {
            table->found = found;
            table->found_capacity = capacity;
        }
    }
    if (code != SQLITE_OK || table->found_count == table->found_capacity) {
        sqlite3_free(key);
        sqlite3_free(expected);
        return code;
    }
    table->found[table->found_count++] = (struct found_row){row_id, key, expected};
    return SQLITE_OK;
}

void changes_forget_rows(struct relativity_table *table) {
    for (int i = 0; i < table->found_count; i++) {
        sqlite3_free(table->found[i].key);
        sqlite3_free(table->found[i].expected);
    }
    sqlite3_free(table->found);
    table->found = NULL;
    table->found_count = table->found_capacity = table->found_next = 0;
}

/* Statements change rows in the order in which they have found them. */
static const struct found_row *find_row(struct relativity_table *table, sqlite3_int64 row_id) {
    for (int i = 0; i < table->found_count; i++) {
        int place = (table->found_next + i) % table->found_count;
        if (table->found[place].row_id != row_id) continue;
        table->found_next = place + 1;
        return &table->found[place];
    }
    return NULL;
}

/* Whether two rows with different keys have this ID, which is a hash of the key. */
static bool is_ambiguous(const struct relativity_table *table, const struct found_row *row) {
    if (table->row_id_field >= 0) return false;
    for (int i = 0; i < table->found_count; i++) {
        const struct found_row *other = &table->found[i];
        if (other->row_id == row->row_id && strcmp(other->key, row->key) != 0) return true;
    }
    return false;
}

/* MARK: The log */

static void free_edit(struct edit *edit) {
    sqlite3_free(edit->table);
    sqlite3_free(edit->json);
    sqlite3_free(edit->expected);
}

static void free_rows(struct changes *changes) {
    for (int i = 0; i < changes->row_count; i++) {
        sqlite3_free(changes->rows[i].table);
        sqlite3_free(changes->rows[i].field);
        sqlite3_free(changes->rows[i].key);
    }
    sqlite3_free(changes->rows);
    changes->rows = NULL;
    changes->row_count = 0;
}

/* Ends the transaction here. */
static void forget(struct changes *changes) {
    for (int i = 0; i < changes->count; i++) free_edit(&changes->edits[i]);
    sqlite3_free(changes->edits);
    sqlite3_free(changes->server);
    sqlite3_free(changes->failure);
    changes->edits = NULL;
    changes->server = changes->failure = NULL;
    changes->count = changes->sent = changes->made = 0;
    changes->revision = 0;
    changes->is_applied = changes->keeps_set = false;
}

void changes_free(struct changes *changes) {
    forget(changes);
    free_rows(changes);
}

/* Takes the texts of an edit. */
static int append(struct changes *changes, struct edit edit, char **error) {
    int code = edit.json == NULL || edit.table == NULL ? SQLITE_NOMEM : SQLITE_OK;
    if (code == SQLITE_OK && changes->count >= MOST_EDITS) {
        code = fail(error, SQLITE_FULL, "a transaction has at most %d changes of a server", MOST_EDITS);
    }
    if (code == SQLITE_OK && strlen(edit.json) > LARGEST_CALL) {
        code = fail(error, SQLITE_TOOBIG, "a change of a row has at most 240 KiB");
    }
    /* Grows by powers of two. */
    if (code == SQLITE_OK && (changes->count & (changes->count - 1)) == 0) {
        sqlite3_uint64 capacity = changes->count == 0 ? 1 : (sqlite3_uint64)changes->count * 2;
        struct edit *edits = sqlite3_realloc64(changes->edits, sizeof edit * capacity);
        if (edits == NULL) code = SQLITE_NOMEM;
        if (edits != NULL) changes->edits = edits;
    }
    if (code != SQLITE_OK) {
        free_edit(&edit);
        return code;
    }
    edit.number = changes->made++;
    changes->edits[changes->count++] = edit;
    return SQLITE_OK;
}

/* MARK: The pending set */

static bool knows_row(const struct changes *changes, const char *table, sqlite3_int64 temporary) {
    for (int i = changes->row_count - 1; i >= 0; i--) {
        if (changes->rows[i].temporary == temporary && is_same_table(changes->rows[i].table, table)) return true;
    }
    return false;
}

/* Notes the new rows of a reply to Edit, which have temporary keys. A row that was changed again is there twice. */
static int note_rows(struct changes *changes, const char *reply, char **error) {
    sqlite3_stmt *statement = NULL;
    int code = json_query(
        "SELECT json_extract(?1, '$.parameters.revision'), json_extract(c.value, '$.table'), json_extract(c.value, '$.row'),"
        " k.key, CAST(k.value AS INTEGER) FROM (SELECT 1)"
        " LEFT JOIN json_each(?1, '$.parameters.changes') AS c ON json_extract(c.value, '$.action') = 'insert'"
        " LEFT JOIN json_each(c.value, '$.key') AS k ON CAST(k.value AS INTEGER) < 0",
        reply, &statement, error);
    if (code != SQLITE_OK) return code;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        changes->revision = sqlite3_column_int64(statement, 0);
        if (sqlite3_column_type(statement, 3) == SQLITE_NULL) continue;
        if (knows_row(changes, (const char *)sqlite3_column_text(statement, 1), sqlite3_column_int64(statement, 4))) continue;
        struct new_row *rows =
            sqlite3_realloc64(changes->rows, sizeof *rows * ((sqlite3_uint64)changes->row_count + 1));
        if (rows == NULL) break;
        changes->rows = rows;
        rows[changes->row_count++] = (struct new_row){
            .table = sqlite3_mprintf("%s", sqlite3_column_text(statement, 1)),
            .field = sqlite3_mprintf("%s", sqlite3_column_text(statement, 3)),
            .number = sqlite3_column_int64(statement, 2),
            .temporary = sqlite3_column_int64(statement, 4),
        };
    }
    json_end(statement);
    return code == SQLITE_DONE ? SQLITE_OK : SQLITE_NOMEM;
}

/* Whether the set has the temporary keys that xUpdate has returned for the edits from the first one on. */
static bool has_keys(const struct changes *changes, int first, int end) {
    for (int i = first; i < end; i++) {
        const struct edit *edit = &changes->edits[i];
        if (edit->temporary == 0) continue;
        if (knows_row(changes, edit->table, edit->temporary)) continue;
        /* A later edit of the same call may have removed the row. */
        bool is_changed = false;
        for (int j = i + 1; j < end && !is_changed; j++) {
            is_changed = changes->edits[j].row_id == edit->temporary && is_same_table(changes->edits[j].table, edit->table);
        }
        if (!is_changed) return false;
    }
    return true;
}

static void append_set(sqlite3_str *json, const struct changes *changes) {
    sqlite3_str_appendall(json, ",\"pending\":");
    json_append(json, changes->name);
    if (changes->revision != 0) sqlite3_str_appendf(json, ",\"revision\":%lld", changes->revision);
}

/*
 * The end of the edits of the next call. A set without changes is removed, and the next one counts the keys of new rows from
 * -1 again, unlike the log. So a call with others after it ends with a new row, if it has one.
 */
static int end_of_call(const struct changes *changes) {
    size_t size = 0;
    int end = changes->sent, last_new = end;
    for (; end < changes->count; end++) {
        size += strlen(changes->edits[end].json) + 1;
        if (end > changes->sent && size > LARGEST_CALL) break;
        if (changes->edits[end].counted != 0) last_new = end + 1;
    }
    return end < changes->count && last_new > changes->sent ? last_new : end;
}

/* Adds the edits to the set, as many as a call may have. */
static int send_some(struct connection *connection, char **error) {
    struct changes *changes = &connection->changes;
    sqlite3_str *rest = sqlite3_str_new(NULL);
    append_set(rest, changes);
    if (changes->revision == 0) free_rows(changes);
    int end = end_of_call(changes);
    for (int i = changes->sent; i < end; i++) {
        sqlite3_str_appendall(rest, i == changes->sent ? ",\"edits\":[" : ",");
        sqlite3_str_appendall(rest, changes->edits[i].json);
    }
    sqlite3_str_appendchar(rest, 1, ']');
    char *text = sqlite3_str_finish(rest), *reply = NULL;
    int code = text == NULL ? SQLITE_NOMEM : SQLITE_OK;
    if (code == SQLITE_OK) {
        code = ask(&connection->service, connection->database, EDIT, changes->server, text, &reply, error);
    }
    sqlite3_free(text);
    if (code == SQLITE_OK) code = note_rows(changes, reply, error);
    sqlite3_free(reply);
    if (code == SQLITE_OK && !has_keys(changes, changes->sent, end)) {
        code = fail(error, SQLITE_ERROR, "the pending set has other temporary keys than expected");
    }
    if (code == SQLITE_OK) changes->sent = end;
    return code;
}

/* Says of edits that were refused because of another client that nothing was changed. */
static void explain_refusal(const struct service *service, char **error) {
    /* The row was there when the statement found it. */
    bool is_conflict = strcmp(service->reason, "notExpected") == 0 || strcmp(service->reason, "noRow") == 0;
    char *text = is_conflict && *error != NULL ? sqlite3_mprintf("conflict, nothing was changed: %s", *error) : NULL;
    if (text == NULL) return;
    sqlite3_free(*error);
    *error = text;
}

static int send_all(struct connection *connection, char **error) {
    struct changes *changes = &connection->changes;
    if (changes->failure != NULL) return fail(error, changes->failure_code, "%s", changes->failure);
    int code = SQLITE_OK;
    /* A set that was removed because it had no changes is made again, so that it counts the new rows as the log does. */
    if (changes->revision == 0 && changes->sent < changes->count) changes->sent = 0;
    while (code == SQLITE_OK && changes->sent < changes->count) code = send_some(connection, error);
    if (code == SQLITE_OK) return code;
    bool is_refused = code == SQLITE_ERROR && strcmp(connection->service.error, "org.relativityd.Data.EditRefused") == 0;
    if (is_refused) explain_refusal(&connection->service, error);
    return end_with(changes, is_refused ? SQLITE_CONSTRAINT : code, error);
}

int changes_flush(struct relativity_table *table, const char **pending, char **error) {
    struct changes *changes = &table->connection->changes;
    *pending = NULL;
    if (changes->server == NULL || strcmp(changes->server, table->server) != 0) return SQLITE_OK;
    for (int i = 0; i < changes->count && *pending == NULL; i++) {
        if (is_same_table(changes->edits[i].table, table->name)) *pending = changes->name;
    }
    if (*pending == NULL || changes->is_applied) return SQLITE_OK;
    int code = send_all(table->connection, error);
    if (changes->revision == 0) *pending = NULL;
    return code;
}

/* Removes the set, which must exist. */
static int drop_set(struct connection *connection, char **error) {
    struct changes *changes = &connection->changes;
    sqlite3_str *rest = sqlite3_str_new(NULL);
    append_set(rest, changes);
    char *text = sqlite3_str_finish(rest), *reply = NULL;
    if (text == NULL) return SQLITE_NOMEM;
    int code = ask(&connection->service, connection->database, DROP_PENDING, NULL, text, &reply, error);
    sqlite3_free(text);
    sqlite3_free(reply);
    if (code != SQLITE_OK) return code;
    changes->revision = 0;
    changes->sent = 0;
    free_rows(changes);
    return SQLITE_OK;
}

/* MARK: Transactions */

/* Whether a table of a schema takes part in the transaction. */
static bool has_part(const struct connection *connection, const char *schema) {
    for (const struct relativity_table *table = connection->tables; table != NULL; table = table->next) {
        if (table->is_writing && sqlite3_stricmp(table->schema, schema) == 0) return true;
    }
    return false;
}

/*
 * Refuses a transaction that also writes to a local database, as far as SQLite shows it: a database without virtual tables of the
 * transaction is in a writing transaction, or more rows were changed since its beginning than those of the server.
 */
static int check_alone(struct connection *connection, char **error) {
    struct changes *changes = &connection->changes;
    const char *schema;
    for (int i = 0; (schema = sqlite3_db_name(connection->database, i)) != NULL; i++) {
        if (has_part(connection, schema) || sqlite3_txn_state(connection->database, schema) != SQLITE_TXN_WRITE) continue;
        return fail(
            error, SQLITE_ERROR,
            "the transaction writes to the local database '%s': one for tables of a server begins with BEGIN and writes to no other",
            schema);
    }
    sqlite3_int64 all = sqlite3_total_changes64(connection->database) - changes->changes_before;
    if (all <= changes->own_changes) return SQLITE_OK;
    return fail(error, SQLITE_ERROR, "the transaction writes to tables of a server and to local ones");
}

int changes_begin(struct relativity_table *table, char **error) {
    struct connection *connection = table->connection;
    struct changes *changes = &connection->changes;
    if (!changes->is_allowed) {
        return fail(
            error, SQLITE_READONLY, "table %s may not be modified: call relativity_write(1) before the transaction",
            table->label);
    }
    if (changes->server != NULL && strcmp(changes->server, table->server) != 0) {
        return fail(
            error, SQLITE_ERROR, "the transaction writes to '%s' and not also to '%s': use one for each server",
            changes->server, table->server);
    }
    table->is_writing = true;
    bool is_first = changes->server == NULL;
    if (is_first) {
        uint64_t number;
        sqlite3_randomness(sizeof number, &number);
        forget(changes);
        free_rows(changes);
        changes->last_key = 0;
        changes->server = sqlite3_mprintf("%s", table->server);
        sqlite3_snprintf(sizeof changes->name, changes->name, "sqlite-%016llx", number);
        changes->changes_before = sqlite3_total_changes64(connection->database);
        changes->own_changes = 0;
    }
    int code = changes->server == NULL ? SQLITE_NOMEM : check_alone(connection, error);
    if (code != SQLITE_OK) {
        table->is_writing = false;
        if (is_first) forget(changes);
    }
    return code;
}

/* Reads the reply to Apply. Anything but that all changes were made is an error. */
static int judge(struct connection *connection, const char *reply, char **error) {
    struct changes *changes = &connection->changes;
    sqlite3_stmt *statement = NULL;
    int code = json_query(
        "WITH c AS (SELECT value AS v, json_extract(value, '$.outcome') AS o FROM json_each(?1, '$.parameters.changes')),"
        " r AS (SELECT v, o, json_extract(v, '$.table') AS t,"
        " (SELECT substr(group_concat(" SHOWN("value") ", ', '), 1, 200) FROM json_each(v, '$.key')) AS k"
        " FROM c) SELECT json_extract(?1, '$.parameters.failure.kind'), json_extract(?1, '$.parameters.failure.message'),"
        " (SELECT count(*) FROM c), (SELECT count(*) FROM c WHERE o = 'accepted'),"
        " (SELECT count(*) FROM c WHERE o = 'unknown'),"
        " (SELECT CASE json_extract(v, '$.conflict') WHEN 'missing' THEN t || ' has no row ' || k"
        "  WHEN 'keyTaken' THEN t || ' has a row ' || k || ' already' ELSE 'another client changed ' || t || ' ' || k || ': '"
        "  || (SELECT substr(group_concat(a.key || ' was ' || " SHOWN("a.value") " || ' and is ' || " SHOWN("b.value") ", '; '),"
        "   1, 400) FROM json_each(v, '$.base') AS a, json_each(v, '$.theirs') AS b"
        "   WHERE a.key = b.key AND a.value IS NOT b.value) END"
        "  FROM r WHERE o = 'conflict' LIMIT 1),"
        " (SELECT t || ' ' || k || ': ' || coalesce(json_extract(v, '$.reason'), '') FROM r WHERE o = 'rejected' LIMIT 1),"
        " json_extract(?1, '$.parameters.revision')",
        reply, &statement, error);
    if (code == SQLITE_OK) code = sqlite3_step(statement) == SQLITE_ROW ? SQLITE_OK : SQLITE_ERROR;
    if (code == SQLITE_OK) {
        const char *kind = (const char *)sqlite3_column_text(statement, 0);
        const char *message = (const char *)sqlite3_column_text(statement, 1);
        int all = sqlite3_column_int(statement, 2), accepted = sqlite3_column_int(statement, 3);
        const char *conflict = (const char *)sqlite3_column_text(statement, 5);
        const char *rejected = (const char *)sqlite3_column_text(statement, 6);
        bool is_unknown = sqlite3_column_int(statement, 4) > 0 || (kind != NULL && strcmp(kind, "unknownOutcome") == 0);
        sqlite3_str *text = sqlite3_str_new(NULL);
        if (is_unknown) {
            code = SQLITE_IOERR;
            sqlite3_str_appendf(text, "outcome unknown: the pending set '%s' has the changes: ", changes->name);
            append_printable(text, message == NULL ? "no reply" : message);
        } else if (conflict != NULL) {
            code = SQLITE_CONSTRAINT;
            sqlite3_str_appendall(text, "conflict, nothing was changed: ");
            append_printable(text, conflict);
        } else if (accepted > 0 && accepted < all) {
            code = SQLITE_IOERR;
            sqlite3_str_appendf(
                text, "the server made %d of %d changes, the pending set '%s' has the others: ", accepted, all,
                changes->name);
            append_printable(text, rejected != NULL ? rejected : message == NULL ? "" : message);
        } else if (accepted < all) {
            bool is_refused = kind == NULL || strcmp(kind, "refused") == 0;
            code = is_refused ? SQLITE_CONSTRAINT : SQLITE_ERROR;
            sqlite3_str_appendall(text, is_refused ? "the server refused the changes: " : "nothing was changed: ");
            append_printable(text, rejected != NULL ? rejected : message == NULL ? "" : message);
        } else if (message != NULL) {
            sqlite3_log(SQLITE_WARNING, "relativity: all changes were made: %s", message);
        }
        sqlite3_free(*error);
        *error = sqlite3_str_finish(text);
        changes->revision = sqlite3_column_int64(statement, 7);
        changes->keeps_set = code == SQLITE_IOERR;
    }
    json_end(statement);
    return code;
}

/* Notes the keys that the server has made. */
static void note_keys(struct changes *changes, const char *reply) {
    sqlite3_stmt *statement = NULL;
    char *error = NULL;
    int code = json_query(
        "SELECT json_extract(c.value, '$.table'), json_extract(c.value, '$.row'), k.key, k.value"
        " FROM json_each(?1, '$.parameters.changes') AS c, json_each(c.value, '$.key') AS k"
        " WHERE json_extract(c.value, '$.action') = 'insert'",
        reply, &statement, &error);
    int next = 0;
    while (code == SQLITE_OK && sqlite3_step(statement) == SQLITE_ROW) {
        const char *table = (const char *)sqlite3_column_text(statement, 0);
        const char *field = (const char *)sqlite3_column_text(statement, 2);
        sqlite3_int64 number = sqlite3_column_int64(statement, 1);
        if (table == NULL || field == NULL) continue;
        /* Both have the order of the set, in each table. */
        for (int i = 0; i < changes->row_count; i++) {
            struct new_row *row = &changes->rows[(next + i) % changes->row_count];
            if (row->number != number || strcmp(row->table, table) != 0 || strcmp(row->field, field) != 0) continue;
            next = (next + i + 1) % changes->row_count;
            sqlite3_free(row->key);
            row->key = sqlite3_mprintf("%s", sqlite3_column_text(statement, 3));
            break;
        }
    }
    sqlite3_free(error);
    json_end(statement);
}

/* If the last row that was inserted is one of the transaction, its real key is the last row ID. */
static void set_last_row_id(struct connection *connection) {
    struct changes *changes = &connection->changes;
    if (changes->last_key == 0 || sqlite3_last_insert_rowid(connection->database) != changes->last_key) return;
    const struct edit *last = NULL;
    for (int i = 0; i < changes->count; i++) {
        if (changes->edits[i].temporary == changes->last_key) last = &changes->edits[i];
    }
    for (int i = 0; last != NULL && i < changes->row_count; i++) {
        const struct new_row *row = &changes->rows[i];
        if (row->temporary != last->temporary || !is_same_table(row->table, last->table) || row->key == NULL) continue;
        sqlite3_set_last_insert_rowid(connection->database, strtoll(row->key, NULL, 10));
    }
}

/* The busy timeout of the database, in milliseconds. */
static int busy_timeout(sqlite3 *database) {
    sqlite3_stmt *statement = NULL;
    int time = 0;
    if (sqlite3_prepare_v2(database, "PRAGMA busy_timeout", -1, &statement, NULL) == SQLITE_OK
        && sqlite3_step(statement) == SQLITE_ROW) {
        time = sqlite3_column_int(statement, 0);
    }
    sqlite3_finalize(statement);
    return time;
}

/*
 * Takes the exclusive locks of the files that the transaction writes to, as a table in one does. SQLite takes them after xSync:
 * if another connection reads a file, COMMIT would fail although the server has made the changes. In WAL mode it needs no more locks.
 * A lock of a file has no event to wait for: SQLite itself tries it again until the busy timeout, too.
 */
static int lock_files(sqlite3 *database, char **error) {
    static const int write_version_offset = 18, wal = 2, step = 10;
    const char *schema;
    for (int i = 0; (schema = sqlite3_db_name(database, i)) != NULL; i++) {
        const char *name = sqlite3_db_filename(database, schema);
        sqlite3_file *file = NULL;
        uint8_t version = 0;
        if (name == NULL || *name == 0 || sqlite3_txn_state(database, schema) != SQLITE_TXN_WRITE) continue;
        sqlite3_file_control(database, schema, SQLITE_FCNTL_FILE_POINTER, &file);
        if (file == NULL || file->pMethods == NULL) continue;
        file->pMethods->xRead(file, &version, 1, write_version_offset);
        if (version == wal) continue;
        int code, rest = busy_timeout(database);
        while ((code = file->pMethods->xLock(file, SQLITE_LOCK_EXCLUSIVE)) == SQLITE_BUSY && rest > 0) {
            sqlite3_sleep(step);
            rest -= step;
        }
        if (code != SQLITE_OK) return fail(error, code, "nothing was sent: another connection reads the file of '%s'", schema);
    }
    return SQLITE_OK;
}

int changes_sync(struct relativity_table *table, char **error) {
    struct connection *connection = table->connection;
    struct changes *changes = &connection->changes;
    if (changes->is_applied || changes->server == NULL) return SQLITE_OK;
    if (changes->failure != NULL) return fail(error, changes->failure_code, "%s", changes->failure);
    if (changes->count == 0) return SQLITE_OK;
    int code = check_alone(connection, error);
    if (code == SQLITE_OK) code = lock_files(connection->database, error);
    if (code == SQLITE_BUSY) return code;
    /* A connection that was just used is open. Others may have been closed, and Apply is never called again. */
    if (code == SQLITE_OK && changes->sent == changes->count) service_close(&connection->service);
    if (code == SQLITE_OK) code = send_all(connection, error);
    if (code == SQLITE_OK && changes->revision == 0) {
        changes->is_applied = true;
        return SQLITE_OK;
    }
    bool is_open = code == SQLITE_OK && connection->service.socket >= 0;
    if (code == SQLITE_OK && !is_open) code = service_open(&connection->service, connection->database, error);
    if (code != SQLITE_OK) return end_with(changes, code, error);

    sqlite3_str *rest = sqlite3_str_new(NULL);
    append_set(rest, changes);
    sqlite3_str_appendall(rest, ",\"whole\":true");
    char *text = sqlite3_str_finish(rest), *reply = NULL;
    if (text == NULL) return SQLITE_NOMEM;
    code = call(&connection->service, APPLY, changes->server, text, &reply, error);
    sqlite3_free(text);
    if (code == SQLITE_OK) {
        code = judge(connection, reply, error);
    } else if (code != SQLITE_ERROR || strcmp(connection->service.error, "org.relativityd.Data.PendingFailed") == 0) {
        service_close(&connection->service);
        char *reason = *error;
        *error = sqlite3_mprintf(
            "outcome unknown: the pending set '%s' has the changes: %s", changes->name,
            reason == NULL ? sqlite3_errstr(code) : reason);
        sqlite3_free(reason);
        changes->keeps_set = true;
        code = SQLITE_IOERR;
    }
    if (code == SQLITE_OK) {
        changes->is_applied = true;
        note_keys(changes, reply);
        set_last_row_id(connection);
    } else {
        end_with(changes, code, error);
    }
    sqlite3_free(reply);
    return code;
}

void changes_end(struct relativity_table *table, bool is_committed) {
    struct connection *connection = table->connection;
    struct changes *changes = &connection->changes;
    table->is_writing = false;
    table->mark_count = 0;
    changes_forget_rows(table);
    if (changes->server == NULL) return;
    char *error = NULL;
    if (!is_committed && changes->is_applied) {
        sqlite3_log(SQLITE_WARNING, "relativity: the changes of '%s' were made before the rollback", changes->server);
    } else if (!is_committed && changes->revision != 0 && !changes->keeps_set && drop_set(connection, &error) != SQLITE_OK) {
        sqlite3_log(SQLITE_WARNING, "relativity: the pending set '%s' stays: %s", changes->name, error);
    }
    sqlite3_free(error);
    if (!is_committed) free_rows(changes);
    forget(changes);
}

void changes_drop_table(struct relativity_table *table) {
    struct changes *changes = &table->connection->changes;
    for (int i = 0; i < changes->count && changes->failure == NULL; i++) {
        if (changes->edits[i].owner != table) continue;
        changes->failure = sqlite3_mprintf("a table with changes of the transaction was dropped");
        changes->failure_code = SQLITE_ERROR;
    }
    changes_forget_rows(table);
    sqlite3_free(table->marks);
}

/* MARK: Savepoints */

int changes_savepoint(struct relativity_table *table, int level) {
    if (level < 0) return SQLITE_OK;
    int *marks = sqlite3_realloc64(table->marks, sizeof *marks * ((sqlite3_uint64)level + 1));
    if (marks == NULL) return SQLITE_NOMEM;
    table->marks = marks;
    /* The table has come after the levels that it does not know. */
    while (table->mark_count < level) marks[table->mark_count++] = 0;
    marks[level] = table->connection->changes.made;
    table->mark_count = level + 1;
    return SQLITE_OK;
}

void changes_release(struct relativity_table *table, int level) {
    if (level >= 0 && table->mark_count > level) table->mark_count = level;
}

/* Removes the edits of one table: others have calls of their own. */
int changes_roll_back_to(struct relativity_table *table, int level, char **error) {
    struct changes *changes = &table->connection->changes;
    int mark = level >= 0 && level < table->mark_count ? table->marks[level] : 0;
    if (level >= 0 && table->mark_count > level + 1) table->mark_count = level + 1;
    int kept = 0, first = changes->count;
    for (int i = 0; i < changes->count; i++) {
        struct edit edit = changes->edits[i];
        if (edit.owner == table && edit.number >= mark) {
            free_edit(&edit);
            if (first == changes->count) first = i;
        } else {
            changes->edits[kept++] = edit;
        }
    }
    if (kept == changes->count) return SQLITE_OK;
    changes->count = kept;
    sqlite3_free(changes->failure);
    changes->failure = NULL;
    if (first >= changes->sent) return SQLITE_OK;
    /* The set is made again with the edits that are left. Each update expects the values that the row had. */
    if (changes->revision == 0) {
        changes->sent = 0;
        return SQLITE_OK;
    }
    int code = drop_set(table->connection, error);
    return code == SQLITE_OK ? code : end_with(changes, code, error);
}

/* MARK: Updates */

/* The edit that the transaction has first made of a row of the server; NULL if there is none. */
static const struct edit *first_edit(const struct changes *changes, const char *table, sqlite3_int64 row_id) {
    for (int i = 0; i < changes->count; i++) {
        const struct edit *edit = &changes->edits[i];
        if (!edit->has_no_row_id && edit->row_id == row_id && is_same_table(edit->table, table)) return edit;
    }
    return NULL;
}

/* The key of the next new row of a table. The set counts from -1 on. */
static sqlite3_int64 next_temporary(const struct changes *changes, const char *table) {
    for (int i = changes->count - 1; i >= 0; i--) {
        const struct edit *edit = &changes->edits[i];
        if (edit->counted != 0 && is_same_table(edit->table, table)) return edit->counted - 1;
    }
    return -1;
}

static void begin_edit(sqlite3_str *json, const char *action, const struct relativity_table *table) {
    sqlite3_str_appendf(json, "{\"action\":\"%s\",\"table\":", action);
    json_append(json, table->name);
}

static int append_member(
    sqlite3_str *json, const struct field *field, sqlite3_value *value, bool is_first, char **error) {
    sqlite3_str_appendall(json, is_first ? "" : ",");
    json_append(json, field->name);
    sqlite3_str_appendchar(json, 1, ':');
    if (json_append_value(json, field, value)) return SQLITE_OK;
    return fail(error, SQLITE_MISMATCH, "the field '%s' cannot have a value of this type", field->name);
}

static int insert(struct relativity_table *table, sqlite3_value **values, sqlite3_int64 *row_id, char **error) {
    struct changes *changes = &table->connection->changes;
    if (sqlite3_value_type(values[1]) != SQLITE_NULL) return fail(error, SQLITE_ERROR, "a new row cannot have a rowid");
    sqlite3_str *json = sqlite3_str_new(NULL);
    begin_edit(json, "insert", table);
    sqlite3_str_appendall(json, ",\"values\":{");
    bool is_first = true, has_row_id = false;
    sqlite3_int64 temporary = 0, counted = 0;
    int code = SQLITE_OK;
    *row_id = 0;
    for (int i = 0; i < table->count && code == SQLITE_OK; i++) {
        const struct field *field = &table->fields[i];
        sqlite3_value *value = values[2 + i];
        bool is_null = sqlite3_value_type(value) == SQLITE_NULL;
        if (field->is_automatic) counted = next_temporary(changes, table->name);
        if (field->is_automatic && is_null) temporary = counted;
        if (i == table->row_id_field) {
            *row_id = is_null ? temporary : sqlite3_value_int64(value);
            has_row_id = !is_null || temporary != 0;
        }
        /* SQLite does not show whether a NULL was written: the field has its default then. */
        if (is_null) continue;
        code = append_member(json, field, value, is_first, error);
        is_first = false;
    }
    sqlite3_str_appendall(json, "}}");
    char *text = sqlite3_str_finish(json);
    if (code != SQLITE_OK) {
        sqlite3_free(text);
        return code;
    }
    struct edit edit = {
        .owner = table, .table = sqlite3_mprintf("%s", table->name), .json = text, .row_id = *row_id,
        .has_no_row_id = !has_row_id, .temporary = temporary, .counted = counted,
    };
    code = append(changes, edit, error);
    if (code == SQLITE_OK) changes->last_key = *row_id < 0 ? *row_id : 0;
    return code;
}

/* Updates or removes a row. values: those of all fields; NULL to remove it. */
static int change(struct relativity_table *table, sqlite3_int64 row_id, sqlite3_value **values, char **error) {
    struct changes *changes = &table->connection->changes;
    if (!table->has_key) return fail(error, SQLITE_ERROR, "the table '%s' has no key: it takes new rows only", table->label);
    const struct found_row *row = find_row(table, row_id);
    if (row == NULL) {
        return fail(error, SQLITE_FULL, "a statement changes at most %d rows of a server", MOST_EDITS);
    }
    if (is_ambiguous(table, row)) return fail(error, SQLITE_ERROR, "two rows of '%s' have the same rowid", table->label);
    const struct edit *first = first_edit(changes, table->name, row_id);
    const char *expected = first == NULL ? row->expected : first->expected;
    sqlite3_str *json = sqlite3_str_new(NULL);
    begin_edit(json, values == NULL ? "delete" : "update", table);
    sqlite3_str_appendf(json, ",\"key\":{%s}", row->key);
    if (expected != NULL && *expected != 0) sqlite3_str_appendf(json, ",\"expected\":{%s}", expected);
    int code = SQLITE_OK, changed = 0;
    for (int i = 0; values != NULL && i < table->count && code == SQLITE_OK; i++) {
        if (sqlite3_value_nochange(values[i])) continue;
        const struct field *field = &table->fields[i];
        if (field->is_key) {
            code = fail(error, SQLITE_ERROR, "the key of a row cannot be changed: remove the row and insert it again");
            break;
        }
        if (changed == 0) sqlite3_str_appendall(json, ",\"values\":{");
        code = append_member(json, field, values[i], changed++ == 0, error);
    }
    sqlite3_str_appendall(json, changed > 0 ? "}}" : "}");
    char *text = sqlite3_str_finish(json);
    if (code != SQLITE_OK || (values != NULL && changed == 0)) {
        sqlite3_free(text);
        return code;
    }
    struct edit edit = {.owner = table, .table = sqlite3_mprintf("%s", table->name), .json = text, .row_id = row_id};
    if (expected != NULL) edit.expected = sqlite3_mprintf("%s", expected);
    return append(changes, edit, error);
}

/* Whether a statement runs that writes, and that returns rows if asked. */
static bool is_writing(sqlite3 *database, bool returns_rows) {
    sqlite3_stmt *statement = NULL;
    while ((statement = sqlite3_next_stmt(database, statement)) != NULL) {
        if (!sqlite3_stmt_busy(statement) || sqlite3_stmt_readonly(statement)) continue;
        if (!returns_rows || sqlite3_column_count(statement) > 0) return true;
    }
    return false;
}

bool changes_compare(const struct connection *connection) {
    return connection->changes.is_allowed && is_writing(connection->database, false);
}

static int make_edit(
    struct relativity_table *table, int count, sqlite3_value **values, sqlite3_int64 *row_id, char **error) {
    struct connection *connection = table->connection;
    struct changes *changes = &connection->changes;
    if (changes->failure != NULL) return fail(error, changes->failure_code, "%s", changes->failure);
    if (changes->is_applied) return fail(error, SQLITE_ERROR, "the changes are made: repeat COMMIT, which was interrupted");
    /* SQLite calls neither xBegin nor xRollbackTo for a table that the transaction has made. */
    if (!table->is_writing) {
        return fail(error, SQLITE_ERROR, "the table '%s' was made in this transaction: commit first", table->label);
    }
    int code = check_alone(connection, error);
    if (code != SQLITE_OK) return code;
    /* The rows of RETURNING would have no keys, because SQLite makes them of the values before. */
    if (is_writing(connection->database, true)) {
        return fail(
            error, SQLITE_ERROR,
            "RETURNING: a table of a server has no such rows; last_insert_rowid() is the key of a new row, and after the commit"
            " relativity_key(KEY) the one that the server has made");
    }
    if (count > 1) {
        int rule = sqlite3_vtab_on_conflict(connection->database);
        if (rule == SQLITE_REPLACE || rule == SQLITE_IGNORE) {
            return fail(
                error, SQLITE_ERROR, "OR %s: a table of a server has no such rule",
                rule == SQLITE_REPLACE ? "REPLACE" : "IGNORE");
        }
    }
    if (count == 1) {
        code = change(table, sqlite3_value_int64(values[0]), NULL, error);
        /* SQLite does not take back what a DELETE that fails has done before. */
        return code == SQLITE_OK ? code : end_with(changes, code, error);
    }
    if (sqlite3_value_type(values[0]) == SQLITE_NULL) return insert(table, values, row_id, error);
    sqlite3_int64 id = sqlite3_value_int64(values[0]);
    if (sqlite3_value_type(values[1]) == SQLITE_NULL || sqlite3_value_int64(values[1]) != id) {
        return fail(error, SQLITE_ERROR, "the rowid of a row cannot be changed");
    }
    return change(table, id, values + 2, error);
}

int changes_update(
    struct relativity_table *table, int count, sqlite3_value **values, sqlite3_int64 *row_id, char **error) {
    int code = make_edit(table, count, values, row_id, error);
    /* SQLite counts it too, also if it changes nothing. */
    if (code == SQLITE_OK) table->connection->changes.own_changes++;
    return code;
}

/* MARK: Functions */

void changes_allow(sqlite3_context *context, int count, sqlite3_value **values) {
    struct connection *connection = sqlite3_user_data(context);
    (void)count;
    sqlite3_int64 flag = sqlite3_value_int64(values[0]);
    if (sqlite3_value_type(values[0]) != SQLITE_INTEGER || (flag != 0 && flag != 1)) {
        sqlite3_result_error(context, "write: relativity_write(1) to allow writing, or relativity_write(0)", -1);
        return;
    }
    if (connection->changes.server != NULL) {
        sqlite3_result_error(context, "relativity_write: end the transaction first", -1);
        return;
    }
    connection->changes.is_allowed = flag != 0;
    sqlite3_result_int(context, connection->changes.is_allowed);
}

void changes_find_key(sqlite3_context *context, int count, sqlite3_value **values) {
    const struct changes *changes = &((struct connection *)sqlite3_user_data(context))->changes;
    sqlite3_int64 key = sqlite3_value_int64(values[0]);
    const char *table = count > 1 ? (const char *)sqlite3_value_text(values[1]) : NULL;
    const struct new_row *found = NULL;
    for (int i = 0; i < changes->row_count; i++) {
        const struct new_row *row = &changes->rows[i];
        if (row->temporary != key || (table != NULL && !is_same_table(row->table, table))) continue;
        if (found != NULL && !is_same_table(found->table, row->table)) {
            sqlite3_result_error(context, "two tables have this temporary key: write relativity_key(KEY, 'TABLE')", -1);
            return;
        }
        found = row;
    }
    if (found != NULL && found->key != NULL) sqlite3_result_int64(context, strtoll(found->key, NULL, 10));
}
