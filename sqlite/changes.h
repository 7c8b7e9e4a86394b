/* SPDX-License-Identifier: Apache-2.0 */

#ifndef RELATIVITY_CHANGES_H
#define RELATIVITY_CHANGES_H

#include "table.h"

/*
 * The edits of a transaction. They are collected here as calls of the Data API, and added to a pending set of it before a table is
 * read, and before the end. The set knows the rows with their changes; xSync applies it.
 *
 * Every function that returns a result code of SQLite sets the error to a text that the caller frees, or leaves it.
 */

/* Remembers a row that a statement has found, by its row ID. The texts become those of the table. */
int changes_remember(struct relativity_table *table, sqlite3_int64 row_id, char *key, char *expected);

/* Forgets the rows of the statement before. */
void changes_forget_rows(struct relativity_table *table);

/* Whether a row that is read now may be changed, so that all its values are needed to find changes of other clients. */
bool changes_compare(const struct connection *connection);

/*
 * Sends the edits that the pending set does not have yet.
 * pending: receives the name of the set if it has changes of the table, otherwise NULL.
 */
int changes_flush(struct relativity_table *table, const char **pending, char **error);

/* The functions of the module of virtual tables. */
int changes_begin(struct relativity_table *table, char **error);
int changes_update(
    struct relativity_table *table, int count, sqlite3_value **values, sqlite3_int64 *row_id, char **error);
int changes_sync(struct relativity_table *table, char **error);
void changes_end(struct relativity_table *table, bool is_committed);
int changes_savepoint(struct relativity_table *table, int level);
void changes_release(struct relativity_table *table, int level);
int changes_roll_back_to(struct relativity_table *table, int level, char **error);

/* Ends the part of a table in a transaction, since the table is removed. */
void changes_drop_table(struct relativity_table *table);

/* Frees what is left at the end of a connection. */
void changes_free(struct changes *changes);

/* The SQL functions relativity_write(FLAG) and relativity_key(KEY [, TABLE]). */
void changes_allow(sqlite3_context *context, int count, sqlite3_value **values);
void changes_find_key(sqlite3_context *context, int count, sqlite3_value **values);

#endif
