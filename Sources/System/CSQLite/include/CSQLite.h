// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sqlite3.h>

// What Swift does not import: functions with a variable number of arguments, and SQLITE_TRANSIENT, a cast.

// Configures SQLite, and registers the file system `relq_budget_files`. Has no effect after the first connection.
void relq_configure(void);

// Lets statements change the file's own structure, or not.
static inline int relq_defend(sqlite3 *database, int defends) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, defends, (int *)0);
}

// A database file may come from somebody else. Its schema calls no function with side effects, and no statement can
// damage the file's own structure.
static inline int relq_harden(sqlite3 *database) {
    int result = relq_defend(database, 1);
    if (result == SQLITE_OK) result = sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)0);
    return result;
}

// SQLite copies the bytes.
static inline int relq_bind_text(sqlite3_stmt *statement, int index, const char *text, sqlite3_uint64 size) {
    return sqlite3_bind_text64(statement, index, size > 0 ? text : "", size, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline int relq_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 size) {
    if (size == 0) return sqlite3_bind_zeroblob(statement, index, 0);
    return sqlite3_bind_blob64(statement, index, bytes, size, SQLITE_TRANSIENT);
}

// The bound that a connection has reached.
enum { RELQ_NONE, RELQ_MEMORY, RELQ_FILES, RELQ_TIME };

// What the calls of one connection may still use. SQLite's own limits are those of the process.
typedef struct relq_budget {
    // Bytes of memory.
    sqlite3_int64 memory;
    // Bytes of files: of the database and of those that SQLite makes for sorts and intermediate results.
    sqlite3_int64 files;
    int reached;
} relq_budget;

// Makes the calls of this thread use a budget; NULL for none. Returns the one before.
relq_budget *relq_use_budget(relq_budget *budget);

// The name of the file system whose files count. A connection with a budget is opened with it.
#define RELQ_BUDGET_FILES "relativityd"
