/* SPDX-License-Identifier: Apache-2.0 */

#ifndef RELATIVITY_TABLE_H
#define RELATIVITY_TABLE_H

#include "service.h"

/* The forms of a field's values in SQL. */
enum form { FORM_INTEGER, FORM_REAL, FORM_SINGLE, FORM_AMOUNT, FORM_DATE, FORM_TEXT, FORM_OTHER_TEXT, FORM_BLOB };

struct field {
    char *name;
    enum form form;
    bool is_key;
    bool has_null; /* rows may have no value */
    bool is_boolean;
    bool is_automatic; /* the server makes the values of new rows */
};

/* The writing transaction of a database (changes.h). */
struct changes {
    bool is_allowed; /* relativity_write(1) was called */
    char *server;    /* of the transaction; NULL if there is none */
    char name[32];   /* of the pending set */
    sqlite3_int64 revision; /* of the pending set; 0 if there is none */
    struct edit *edits;
    int count, sent; /* all edits, and those that the pending set has */
    int made;        /* the edits of the transaction, with those that were rolled back */
    bool is_applied;
    bool keeps_set; /* the outcome is unknown, or only a part was made */
    char *failure;  /* why the transaction can only be rolled back; NULL if it can go on */
    int failure_code;
    struct new_row *rows; /* those with temporary keys; after the transaction those of the last one */
    int row_count;
    sqlite3_int64 last_key;       /* the temporary key of the last insert */
    sqlite3_int64 changes_before; /* sqlite3_total_changes64 at the beginning, and the own changes since */
    sqlite3_int64 own_changes;
};

/* What the virtual tables of one database share. */
struct connection {
    sqlite3 *database;
    struct service service; /* for calls of one reply */
    struct relativity_table *tables;
    struct changes changes;
};

/* A row that a statement in a writing transaction has found. */
struct found_row {
    sqlite3_int64 row_id;
    char *key;      /* members of a JSON object */
    char *expected; /* the same, with the values that were read */
};

/* A virtual table. */
struct relativity_table {
    sqlite3_vtab base;
    sqlite3 *database;
    struct connection *connection;
    struct relativity_table *next;
    char *schema;
    char *label; /* the name in the database */
    char *server;
    char *name; /* the name at the server */
    bool amounts_are_text;
    bool has_key;
    bool is_utf8; /* the encoding of texts in the database, which gives their order */
    int row_id_field; /* the key, if it is one integer; otherwise -1 */
    double row_count; /* for the order of joins; 0 before it is known */
    struct field *fields;
    int count;
    /* While the server is away, the endpoint whose kept table is read; otherwise NULL. */
    char *kept;
    char *saved;  /* the time of its download; NULL if it is unknown */
    char *reason; /* why the server is away */
    int64_t away_until;
    /* In a writing transaction. */
    bool is_writing;
    int cursors; /* open ones */
    struct found_row *found;
    int found_count, found_capacity, found_next;
    int *marks; /* by the level of the savepoint, the number of the first edit after it */
    int mark_count;
};

/* relativity_status: the tables of the connection, each live or kept. The module's context is its struct connection. */
extern const sqlite3_module status_module;

#endif
