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
};

/* What the virtual tables of one database share. */
struct connection {
    struct service service; /* for calls of one reply */
    struct relativity_table *tables;
};

/* A virtual table. */
struct relativity_table {
    sqlite3_vtab base;
    sqlite3 *database;
    struct connection *connection;
    struct relativity_table *next;
    char *label; /* the name in the database */
    char *server;
    char *name; /* the name at the server */
    bool amounts_are_text;
    bool has_key;
    struct field *fields;
    int count;
    /* While the server is away, the endpoint whose kept table is read; otherwise NULL. */
    char *kept;
    char *saved;  /* the time of its download; NULL if it is unknown */
    char *reason; /* why the server is away */
    int64_t away_until;
};

/* relativity_status: the tables of the connection, each live or kept. The module's context is its struct connection. */
extern const sqlite3_module status_module;

#endif
