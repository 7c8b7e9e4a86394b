/* SPDX-License-Identifier: Apache-2.0 */

/*
 * An extension of SQLite: the tables of Relativity servers as virtual tables, read and changed through the Data API of relativityd.
 *
 *     .load relativity
 *     select relativity_attach('shop');
 *     create virtual table orders using relativity('shop', 'Orders');
 *
 * docs/how-to/use-with.md describes it for users.
 */

#include "arrow.h"
#include "calls.h"
#include "changes.h"
#include "table.h"
#include "values.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

SQLITE_EXTENSION_INIT1

/* The time that a kept table is read without asking for the server again, which may take long to be found away. */
enum { AWAY_SECONDS = 5 };

/* The number of rows of a table whose number is not known. */
enum { USUAL_ROWS = 100000 };

/* A larger limit is not sent: the reading is cancelled when SQLite has its rows. */
enum { LARGEST_LIMIT = 1000 };

/* The most bytes of the conditions of a call: the Data API takes 64 KiB. */
enum { LARGEST_CONDITION = 32 << 10 };

struct cursor {
    sqlite3_vtab_cursor base;
    struct service service;
    struct arrow_batch batch;
    int *columns; /* of the batch, by the number of the field; -1 for a field that is not read */
    int64_t row;
    sqlite3_int64 number;
    bool is_over;
    char *beyond; /* the parameters of the same reading without its limit; NULL if it has none */
    sqlite3_int64 limit;
    sqlite3_int64 *seen; /* the IDs of the rows that SQLite has had of the reading with the limit */
    sqlite3_int64 seen_count;
};

static int set_error(sqlite3_vtab *table, int code, char *error) {
    if (error == NULL) return code;
    sqlite3_free(table->zErrMsg);
    table->zErrMsg = error;
    return code;
}

/* MARK: Tables */

static enum form form_of(const char *type) {
    static const struct {
        const char *type;
        enum form form;
    } forms[] = {
        {"Boolean", FORM_INTEGER}, {"Byte", FORM_INTEGER}, {"ShortInt", FORM_INTEGER}, {"SmallInt", FORM_INTEGER},
        {"Word", FORM_INTEGER}, {"Integer", FORM_INTEGER}, {"AutoInc", FORM_INTEGER}, {"Cardinal", FORM_INTEGER},
        {"LargeInt", FORM_INTEGER}, {"LargeAutoInc", FORM_INTEGER}, {"LargeUInt", FORM_AMOUNT}, {"Float", FORM_REAL},
        {"SingleFloat", FORM_SINGLE}, {"Currency", FORM_AMOUNT}, {"Decimal", FORM_AMOUNT}, {"DateTime", FORM_DATE},
        {"String", FORM_TEXT}, {"WideString", FORM_TEXT}, {"FixedChar", FORM_TEXT}, {"FixedWideChar", FORM_TEXT},
        {"Blob", FORM_BLOB},
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (strcmp(forms[i].type, type) == 0) return forms[i].form;
    }
    return FORM_OTHER_TEXT;
}

static const char *declared(enum form form) {
    switch (form) {
    case FORM_INTEGER: return "INTEGER";
    case FORM_REAL:
    case FORM_SINGLE: return "REAL";
    case FORM_AMOUNT: return "NUMERIC";
    case FORM_BLOB: return "BLOB";
    default: return "TEXT";
    }
}

static void free_table(struct relativity_table *table) {
    for (struct relativity_table **place = &table->connection->tables; *place != NULL; place = &(*place)->next) {
        if (*place == table) {
            *place = table->next;
            break;
        }
    }
    changes_drop_table(table);
    for (int i = 0; i < table->count; i++) sqlite3_free(table->fields[i].name);
    sqlite3_free(table->fields);
    sqlite3_free(table->schema);
    sqlite3_free(table->label);
    sqlite3_free(table->server);
    sqlite3_free(table->name);
    sqlite3_free(table->kept);
    sqlite3_free(table->saved);
    sqlite3_free(table->reason);
    sqlite3_free(table);
}

/* Reads the fields from the reply of GetSchema, or from the first one of ReadKept. */
static int read_fields(struct relativity_table *table, const char *reply, char **error) {
    sqlite3_stmt *statement = NULL;
    int code = json_query(
        "SELECT json_extract(value, '$.name'), json_extract(value, '$.type'), json_extract(value, '$.key'),"
        " json_extract(value, '$.required')"
        " FROM json_each(?1, iif(json_type(?1, '$.parameters.fields') IS NULL, '$.parameters.tables[0].fields',"
        " '$.parameters.fields'))",
        reply, &statement, error);
    if (code != SQLITE_OK) return code;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        struct field *fields = sqlite3_realloc64(table->fields, sizeof *fields * ((sqlite3_uint64)table->count + 1));
        if (fields == NULL) break;
        table->fields = fields;
        struct field *field = &fields[table->count];
        const char *type = (const char *)sqlite3_column_text(statement, 1);
        field->name = sqlite3_mprintf("%s", sqlite3_column_text(statement, 0));
        if (field->name == NULL) break;
        table->count++;
        field->form = form_of(type == NULL ? "" : type);
        if (table->amounts_are_text && field->form == FORM_AMOUNT) field->form = FORM_OTHER_TEXT;
        field->is_key = sqlite3_column_int(statement, 2) != 0;
        field->has_null = !field->is_key && sqlite3_column_int(statement, 3) == 0;
        field->is_boolean = type != NULL && strcmp(type, "Boolean") == 0;
        field->is_automatic = type != NULL && (strcmp(type, "AutoInc") == 0 || strcmp(type, "LargeAutoInc") == 0);
        if (field->is_key) {
            bool is_row_id = field->form == FORM_INTEGER && !field->is_boolean && !table->has_key;
            table->row_id_field = is_row_id ? table->count - 1 : -1;
        }
        table->has_key |= field->is_key;
    }
    json_end(statement);
    if (code != SQLITE_DONE) return SQLITE_NOMEM;
    if (table->count > 0) return SQLITE_OK;
    *error = sqlite3_mprintf("the table '%s' of '%s' has no fields", table->name, table->server);
    return SQLITE_ERROR;
}

/* MARK: Kept tables */

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec;
}

static void turn_to_server(struct relativity_table *table) {
    sqlite3_free(table->kept);
    sqlite3_free(table->saved);
    sqlite3_free(table->reason);
    table->kept = table->saved = table->reason = NULL;
}

/* Reads the first reply about a kept table, which has its fields, and finds the time of its download in the last one. */
static int describe_kept(
    struct relativity_table *table, const char *endpoint, char **first, char **saved, char **error) {
    struct service service;
    sqlite3_str *rest = sqlite3_str_new(NULL);
    sqlite3_str_appendall(rest, ",\"limit\":0,\"table\":");
    json_append(rest, table->name);
    char *text = sqlite3_str_finish(rest);
    if (text == NULL) return SQLITE_NOMEM;
    int code = service_open(&service, table->database, error);
    if (code == SQLITE_OK) code = call(&service, DESCRIBE_KEPT, endpoint, text, first, error);
    sqlite3_free(text);
    bool continues = true;
    while (code == SQLITE_OK && continues) {
        char *reply = NULL;
        sqlite3_stmt *statement = NULL;
        code = service_reply(&service, &reply, error);
        if (code != SQLITE_OK) break;
        code = json_query(
            "SELECT json_extract(?1, '$.continues'), json_extract(?1, '$.parameters.saved')", reply, &statement, error);
        if (code == SQLITE_OK && sqlite3_step(statement) == SQLITE_ROW) {
            const unsigned char *time = sqlite3_column_text(statement, 1);
            continues = sqlite3_column_int(statement, 0) != 0;
            if (!continues && time != NULL) *saved = sqlite3_mprintf("%s", time);
        } else {
            continues = false;
        }
        json_end(statement);
        sqlite3_free(reply);
    }
    service_close(&service);
    return code;
}

/*
 * Turns to the kept table after the server was found away. If there is none, the code and the error remain those of that.
 * service: whose last reply says so.
 * fields: receives a reply with the fields of the table; the caller frees it.
 */
static int turn_to_kept(
    struct relativity_table *table, const struct service *service, int code, char **fields, char **error) {
    if (code != SQLITE_ERROR || !service->is_away) return code;
    char *first = NULL, *saved = NULL, *other = NULL;
    char *endpoint = sqlite3_mprintf("%s", *service->away == 0 ? table->server : service->away);
    int kept = endpoint == NULL ? SQLITE_NOMEM : describe_kept(table, endpoint, &first, &saved, &other);
    if (kept == SQLITE_OK) {
        sqlite3_log(SQLITE_WARNING, "relativity: %s: reads the kept table '%s'", *error, table->name);
        turn_to_server(table);
        table->kept = endpoint;
        table->saved = saved;
        table->reason = *error;
        table->away_until = now() + AWAY_SECONDS;
        *error = NULL;
        *fields = first;
        return SQLITE_OK;
    }
    sqlite3_free(endpoint);
    sqlite3_free(first);
    sqlite3_free(saved);
    if (kept == SQLITE_INTERRUPT || kept == SQLITE_NOMEM) {
        sqlite3_free(*error);
        *error = other;
        return kept;
    }
    sqlite3_free(other);
    return code;
}

static int declare(struct relativity_table *table) {
    sqlite3_str *sql = sqlite3_str_new(table->database);
    sqlite3_str_appendall(sql, "CREATE TABLE x(");
    for (int i = 0; i < table->count; i++) {
        sqlite3_str_appendf(
            sql, "%s\"%w\" %s", i > 0 ? "," : "", table->fields[i].name, declared(table->fields[i].form));
    }
    sqlite3_str_appendchar(sql, 1, ')');
    char *text = sqlite3_str_finish(sql);
    if (text == NULL) return SQLITE_NOMEM;
    int code = sqlite3_declare_vtab(table->database, text);
    sqlite3_free(text);
    return code;
}

/* The value of an argument of CREATE VIRTUAL TABLE: without its quotes, if it has any. */
static char *argument(const char *text) {
    size_t size = strlen(text);
    char quote = text[0];
    if (size < 2 || (quote != '\'' && quote != '"') || text[size - 1] != quote) return sqlite3_mprintf("%s", text);
    char *value = sqlite3_malloc64(size);
    if (value == NULL) return NULL;
    char *out = value;
    for (const char *in = text + 1; in < text + size - 1; in++) {
        *out++ = *in;
        if (*in == quote && in[1] == quote) in++;
    }
    *out = 0;
    return value;
}

static int read_encoding(struct relativity_table *table) {
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(table->database, "PRAGMA encoding", -1, &statement, NULL);
    if (code == SQLITE_OK && sqlite3_step(statement) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(statement, 0);
        table->is_utf8 = name != NULL && strcmp(name, "UTF-8") == 0;
    }
    sqlite3_finalize(statement);
    return code;
}

static int make_table(
    sqlite3 *database, void *context, int count, const char *const *arguments, sqlite3_vtab **result, char **error) {
    if (count < 5 || count > 6) {
        *error = sqlite3_mprintf("write: relativity('SERVER', 'TABLE'), or relativity('SERVER', 'TABLE', 'amounts=text')");
        return SQLITE_ERROR;
    }
    struct relativity_table *table = sqlite3_malloc64(sizeof *table);
    if (table == NULL) return SQLITE_NOMEM;
    memset(table, 0, sizeof *table);
    table->database = database;
    table->connection = context;
    table->row_id_field = -1;
    table->schema = sqlite3_mprintf("%s", arguments[1]);
    table->label = sqlite3_mprintf("%s", arguments[2]);
    table->server = argument(arguments[3]);
    table->name = argument(arguments[4]);
    int code = table->schema == NULL || table->label == NULL || table->server == NULL || table->name == NULL ? SQLITE_NOMEM : SQLITE_OK;
    if (code == SQLITE_OK && count == 6) {
        char *option = argument(arguments[5]);
        table->amounts_are_text = option != NULL && strcmp(option, "amounts=text") == 0;
        if (!table->amounts_are_text) {
            *error = sqlite3_mprintf("no option '%s'; there is 'amounts=text'", option == NULL ? "" : option);
            code = SQLITE_ERROR;
        }
        sqlite3_free(option);
    }
    if (code == SQLITE_OK && strchr(table->server, '@') != NULL && strcmp(arguments[1], "temp") != 0) {
        *error = sqlite3_mprintf("a database names no login: use the server alone, or a temporary table");
        code = SQLITE_ERROR;
    }
    char *reply = NULL;
    if (code == SQLITE_OK) {
        sqlite3_str *rest = sqlite3_str_new(NULL);
        sqlite3_str_appendall(rest, ",\"table\":");
        json_append(rest, table->name);
        char *text = sqlite3_str_finish(rest);
        struct service *service = &table->connection->service;
        code = text == NULL ? SQLITE_NOMEM : ask(service, database, GET_SCHEMA, table->server, text, &reply, error);
        sqlite3_free(text);
        code = turn_to_kept(table, service, code, &reply, error);
    }
    if (code == SQLITE_OK) code = read_fields(table, reply, error);
    if (code == SQLITE_OK) code = read_encoding(table);
    sqlite3_free(reply);
    if (code == SQLITE_OK) code = declare(table);
    /* A trigger or a view of a file from elsewhere must not read a server. */
    if (code == SQLITE_OK) code = sqlite3_vtab_config(database, SQLITE_VTAB_DIRECTONLY);
    if (code != SQLITE_OK) {
        free_table(table);
        return code;
    }
    table->next = table->connection->tables;
    table->connection->tables = table;
    *result = &table->base;
    return SQLITE_OK;
}

static int connect_table(
    sqlite3 *database, void *context, int count, const char *const *arguments, sqlite3_vtab **result, char **error) {
    sqlite3_stmt *running = keep_interrupts(database);
    int code = make_table(database, context, count, arguments, result, error);
    sqlite3_finalize(running);
    return code;
}

static int disconnect(sqlite3_vtab *table) {
    free_table((struct relativity_table *)table);
    return SQLITE_OK;
}

/* DROP TABLE. A table without its virtual table takes no part in the end of the transaction, which would do nothing then. */
static int destroy(sqlite3_vtab *table) {
    return ((struct relativity_table *)table)->is_writing ? SQLITE_LOCKED : disconnect(table);
}

/* MARK: Plans */

/*
 * A plan is a text, which the cursor reads: for each condition a letter for its operator and the number of its field; then,
 * after a semicolon, the fields to sort by, each with + or -; then L for a limit; then the fields that are read, after =.
 * Conditions only make the reply smaller: SQLite tests them again. It may run one plan for each part of an OR, and finds rows that
 * both have by their row IDs. These come from the key, so it is always read, and a table without a key takes no conditions.
 */

static char operator_of(int operation) {
    switch (operation) {
    case SQLITE_INDEX_CONSTRAINT_EQ: return 'e';
    case SQLITE_INDEX_CONSTRAINT_GT: return 'g';
    case SQLITE_INDEX_CONSTRAINT_GE: return 'G';
    case SQLITE_INDEX_CONSTRAINT_LT: return 'l';
    case SQLITE_INDEX_CONSTRAINT_LE: return 'L';
    case SQLITE_INDEX_CONSTRAINT_ISNULL: return 'n';
    case SQLITE_INDEX_CONSTRAINT_ISNOTNULL: return 'N';
    default: return 0;
    }
}

/* Whether conditions on a field have the same meaning here and there, or a wider one there. */
static bool is_comparable(
    const struct relativity_table *table, const struct field *field, char operator, const char *collation) {
    if (operator== 'n' || operator== 'N') return true;
    switch (field->form) {
    case FORM_INTEGER:
    case FORM_REAL:
    case FORM_AMOUNT: return true;
    case FORM_DATE: return sqlite3_stricmp(collation, "BINARY") == 0;
    case FORM_TEXT: return sqlite3_stricmp(collation, "BINARY") == 0 && (table->is_utf8 || operator== 'e');
    default: return false;
    }
}

/* Servers differ in the place of NULL, which SQLite sorts first. */
static bool is_sortable(const struct field *field) {
    if (field->has_null) return false;
    return field->form == FORM_INTEGER || field->form == FORM_REAL || field->form == FORM_AMOUNT || field->form == FORM_DATE;
}

/* Asks for the number of rows, once: an old one only makes a join slower. Returns SQLITE_OK unless it is interrupted. */
static int count_rows(struct relativity_table *table) {
    if (table->row_count > 0 || table->kept != NULL) return SQLITE_OK;
    table->row_count = USUAL_ROWS;
    sqlite3_str *rest = sqlite3_str_new(NULL);
    sqlite3_str_appendall(rest, ",\"table\":");
    json_append(rest, table->name);
    char *text = sqlite3_str_finish(rest), *reply = NULL, *error = NULL;
    sqlite3_stmt *statement = NULL;
    int code = text == NULL ? SQLITE_NOMEM : SQLITE_OK;
    sqlite3_stmt *running = keep_interrupts(table->database);
    if (code == SQLITE_OK) {
        code = ask(&table->connection->service, table->database, COUNT, table->server, text, &reply, &error);
    }
    sqlite3_finalize(running);
    if (code == SQLITE_OK) code = json_query("SELECT json_extract(?1, '$.parameters.count')", reply, &statement, &error);
    if (code == SQLITE_OK && sqlite3_step(statement) == SQLITE_ROW) {
        table->row_count = sqlite3_column_double(statement, 0) + 1;
    }
    json_end(statement);
    /* A server that does not count has the usual number. The reading reports what else is wrong. */
    sqlite3_free(error);
    sqlite3_free(reply);
    sqlite3_free(text);
    if (code != SQLITE_INTERRUPT) return SQLITE_OK;
    table->row_count = 0;
    return code;
}

static int best_index(sqlite3_vtab *base, sqlite3_index_info *info) {
    struct relativity_table *table = (struct relativity_table *)base;
    sqlite3_str *plan = sqlite3_str_new(table->database);
    int used = 0, rest = 0, limit = -1;
    bool has_key = false;
    /* A condition that cannot be used here compares with another table of a join, or is an IN. */
    for (int i = 0; i < info->nConstraint; i++) {
        bool is_equality = info->aConstraint[i].op == SQLITE_INDEX_CONSTRAINT_EQ;
        bool counts = is_equality && !info->aConstraint[i].usable && !sqlite3_vtab_in(info, i, -1);
        int code = counts ? count_rows(table) : SQLITE_OK;
        if (code == SQLITE_OK) continue;
        sqlite3_free(sqlite3_str_finish(plan));
        return code;
    }
    double rows = table->row_count > 0 ? table->row_count : USUAL_ROWS;
    for (int i = 0; i < info->nConstraint; i++) {
        int operation = info->aConstraint[i].op;
        if (operation == SQLITE_INDEX_CONSTRAINT_LIMIT) {
            if (info->aConstraint[i].usable) limit = i;
            continue;
        }
        rest++;
        int column = info->aConstraint[i].iColumn;
        if (column < 0) column = table->row_id_field;
        char operator = operator_of(operation);
        bool is_usable = info->aConstraint[i].usable && table->has_key;
        if (!is_usable || operator== 0 || column < 0 || column >= table->count) continue;
        struct field *field = &table->fields[column];
        const char *collation = sqlite3_vtab_collation(info, i);
        if (!is_comparable(table, field, operator, collation == NULL ? "BINARY" : collation)) continue;
        sqlite3_str_appendf(plan, "%c%d", operator, column);
        info->aConstraintUsage[i].argvIndex = ++used;
        has_key |= operator== 'e' && field->is_key;
        rows /= operator== 'e' ? 1000 : 4;
    }
    bool sorts = info->nOrderBy > 0;
    for (int i = 0; i < info->nOrderBy; i++) {
        int column = info->aOrderBy[i].iColumn;
        sorts &= column >= 0 && column < table->count && is_sortable(&table->fields[column]);
    }
    sqlite3_str_appendchar(plan, 1, ';');
    for (int i = 0; sorts && i < info->nOrderBy; i++) {
        sqlite3_str_appendf(plan, "%c%d", info->aOrderBy[i].desc ? '-' : '+', info->aOrderBy[i].iColumn);
    }
    /* SQLite does not show conditions that compare two fields. If rows fail them, the cursor reads beyond the limit. */
    if (limit >= 0 && rest == 0 && table->has_key && (info->nOrderBy == 0 || sorts)) {
        sqlite3_str_appendchar(plan, 1, 'L');
        info->aConstraintUsage[limit].argvIndex = ++used;
    }
    sqlite3_str_appendchar(plan, 1, '=');
    for (int i = 0; i < table->count; i++) {
        bool is_used = info->colUsed >> (i < 63 ? i : 63) & 1;
        /* A count of rows needs a field too. */
        bool is_any = i == 0 && info->colUsed == 0 && !table->has_key;
        if (is_used || is_any || table->fields[i].is_key) sqlite3_str_appendf(plan, "%d,", i);
    }
    info->idxStr = sqlite3_str_finish(plan);
    if (info->idxStr == NULL) return SQLITE_NOMEM;
    info->needToFreeIdxStr = 1;
    info->orderByConsumed = sorts;
    info->estimatedRows = has_key ? 1 : (sqlite3_int64)(rows < 1 ? 1 : rows);
    /* A reading costs about as much as 1,000 rows. */
    info->estimatedCost = 1000 + (has_key ? 1 : rows);
    return SQLITE_OK;
}

/* MARK: Conditions */

static void append_name(sqlite3_str *text, const char *name) {
    sqlite3_str_appendchar(text, 1, '[');
    for (; *name != 0; name++) {
        sqlite3_str_appendchar(text, *name == ']' ? 2 : 1, *name);
    }
    sqlite3_str_appendchar(text, 1, ']');
}

/* Whether a text is a time as the table has it, YYYY-MM-DDTHH:MM:SS with or without milliseconds, of the years 1 to 9999. */
static bool is_time(const char *text) {
    static const char form[] = "dddd-dd-ddTdd:dd:dd.ddd";
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    size_t size = strlen(text);
    if (size != 19 && size != 23) return false;
    for (size_t i = 0; i < size; i++) {
        if (form[i] == 'd' ? text[i] < '0' || text[i] > '9' : text[i] != form[i]) return false;
    }
    int year = atoi(text), month = atoi(text + 5), day = atoi(text + 8);
    if (year < 1 || month < 1 || month > 12 || day < 1) return false;
    bool is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    if (day > days[month - 1] + (month == 2 && is_leap)) return false;
    return atoi(text + 11) < 24 && atoi(text + 14) < 60 && atoi(text + 17) < 60;
}

/*
 * Appends a condition of docs/predicates.md that every row satisfies for which SQLite's is true.
 * Returns false if no row can satisfy it; appends nothing if the value has another type than the field.
 */
static bool append_condition(sqlite3_str *text, const struct field *field, char operator, sqlite3_value *value, bool *is_first) {
    static const char *const operators[][2] = {
        {"e", "="}, {"g", ">"}, {"G", ">="}, {"l", "<"}, {"L", "<="}, {"n", "IS NULL"}, {"N", "IS NOT NULL"},
    };
    int type = sqlite3_value_type(value);
    bool is_test = operator== 'n' || operator== 'N';
    if (!is_test && type == SQLITE_NULL) return false;
    bool is_number = type == SQLITE_INTEGER || type == SQLITE_FLOAT;
    const char *string = type == SQLITE_TEXT ? (const char *)sqlite3_value_text(value) : NULL;
    if (string != NULL && strlen(string) != (size_t)sqlite3_value_bytes(value)) return true;
    if (string != NULL && (size_t)sqlite3_str_length(text) + 2 * strlen(string) > LARGEST_CONDITION) return true;
    double real = is_number ? sqlite3_value_double(value) : 0;
    if (is_number && !(real > -1e300 && real < 1e300)) return true;
    if (!is_test) {
        switch (field->form) {
        case FORM_INTEGER:
        case FORM_REAL:
            if (!is_number) return true;
            break;
        case FORM_AMOUNT:
            if (!is_number) return true;
            /* A double stands for the amount of 15 digits that is nearest to it. SQLite compares longer ones exactly. */
            if (type == SQLITE_FLOAT && (real <= -1e15 || real >= 1e15)) return true;
            if (type == SQLITE_FLOAT && operator== 'g') operator= 'G';
            if (type == SQLITE_FLOAT && operator== 'l') operator= 'L';
            break;
        case FORM_DATE:
            if (string == NULL || !is_time(string)) return true;
            /* Times of days before the first one are no certain ones, and are compared here. */
            if (strcmp(string, "1899-12-30") < 0 && strspn(string + 11, "0:.") < strlen(string + 11)) return true;
            /* The text of the same time in the table has no milliseconds, and is less. */
            if (operator== 'l' && strlen(string) == 23 && strcmp(string + 19, ".000") == 0) operator= 'L';
            break;
        default:
            if (string == NULL) return true;
        }
    }
    const char *word = "";
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        if (operators[i][0][0] == operator) word = operators[i][1];
    }
    sqlite3_str_appendall(text, *is_first ? "" : " AND ");
    *is_first = false;
    append_name(text, field->name);
    sqlite3_str_appendf(text, " %s", word);
    if (is_test) return true;
    sqlite3_str_appendchar(text, 1, ' ');
    if (string != NULL) {
        sqlite3_str_appendf(text, "'%q'", string);
    } else if (type == SQLITE_INTEGER) {
        sqlite3_str_appendf(text, "%lld", sqlite3_value_int64(value));
    } else {
        sqlite3_str_appendf(text, field->form == FORM_AMOUNT ? "%!.15g" : "%!.17g", real);
    }
    return true;
}

/* MARK: Rows */

static int open_cursor(sqlite3_vtab *base, sqlite3_vtab_cursor **result) {
    struct relativity_table *table = (struct relativity_table *)base;
    struct cursor *cursor = sqlite3_malloc64(sizeof *cursor);
    if (cursor == NULL) return SQLITE_NOMEM;
    memset(cursor, 0, sizeof *cursor);
    cursor->service.socket = -1;
    if (table->cursors++ == 0) changes_forget_rows(table);
    *result = &cursor->base;
    return SQLITE_OK;
}

/* Ends the reading: closing the connection cancels what still runs. */
static void end_reading(struct cursor *cursor) {
    service_close(&cursor->service);
    arrow_free(&cursor->batch);
    sqlite3_free(cursor->columns);
    sqlite3_free(cursor->beyond);
    sqlite3_free(cursor->seen);
    cursor->columns = NULL;
    cursor->beyond = NULL;
    cursor->seen = NULL;
    cursor->seen_count = 0;
    cursor->is_over = true;
}

static int close_cursor(sqlite3_vtab_cursor *base) {
    struct cursor *cursor = (struct cursor *)base;
    ((struct relativity_table *)base->pVtab)->cursors--;
    end_reading(cursor);
    sqlite3_free(cursor);
    return SQLITE_OK;
}

static int invalid(char **error) {
    *error = sqlite3_mprintf("the Data API of relativityd sent rows that are not valid");
    return SQLITE_CORRUPT;
}

/*
 * Reads the prefix and the metadata of the next message: the mark ff ff ff ff, and the length of the metadata. A length of 0 ends
 * the stream; a negative one means that the reading failed. Then the last reply follows.
 */
static int read_metadata(struct cursor *cursor, const uint8_t **metadata, int32_t *size, char **error) {
    const uint8_t *prefix;
    int code = service_read(&cursor->service, 8, &prefix, error);
    if (code != SQLITE_OK) return code;
    if (memcmp(prefix, "\xff\xff\xff\xff", 4) != 0) return invalid(error);
    memcpy(size, prefix + 4, 4);
    if (*size > 0) return service_read(&cursor->service, (size_t)*size, metadata, error);
    char *reply = NULL;
    code = service_reply(&cursor->service, &reply, error);
    sqlite3_free(reply);
    if (code == SQLITE_OK && *size < 0) return invalid(error);
    return code;
}

/* Mixes bytes into a hash of 64 bits (FNV-1a, draft-eastlake-fnv). */
static uint64_t mixed(uint64_t hash, const void *bytes, size_t size) {
    for (size_t i = 0; i < size; i++) hash = (hash ^ ((const uint8_t *)bytes)[i]) * 0x100000001b3;
    return hash;
}

/* The key if it is an integer, otherwise a hash of it; without a key the number of the row. */
static int find_id(const struct cursor *cursor, sqlite3_int64 *result) {
    const struct relativity_table *table = (const struct relativity_table *)cursor->base.pVtab;
    uint64_t hash = 0xcbf29ce484222325;
    int parts = 0;
    *result = cursor->number;
    for (int i = 0; i < table->count; i++) {
        if (!table->fields[i].is_key) continue;
        const struct arrow_column *column = &cursor->batch.columns[cursor->columns[i]];
        const uint8_t *bytes = NULL;
        uint64_t size = 0;
        int64_t number = arrow_is_null(column, cursor->row);
        char digits[48];
        if (number == 0 && (column->kind == ARROW_TEXT || column->kind == ARROW_BLOB)) {
            if (!arrow_bytes(column, cursor->row, &bytes, &size)) return SQLITE_CORRUPT_VTAB;
        } else if (number == 0 && column->kind == ARROW_DECIMAL) {
            arrow_decimal(column, cursor->row, digits);
            bytes = (const uint8_t *)digits;
            size = strlen(digits);
        } else if (number == 0 && column->kind == ARROW_FLOAT) {
            double value = arrow_double(column, cursor->row);
            memcpy(&number, &value, sizeof number);
        } else if (number == 0) {
            number = arrow_integer(column, cursor->row);
        }
        *result = number;
        parts += bytes == NULL ? 1 : 2;
        hash = mixed(mixed(mixed(hash, &number, sizeof number), &size, sizeof size), bytes, size);
    }
    if (parts > 1) *result = (sqlite3_int64)hash;
    return SQLITE_OK;
}

static int compare_ids(const void *left, const void *right) {
    sqlite3_int64 one, other;
    memcpy(&one, left, sizeof one);
    memcpy(&other, right, sizeof other);
    return (one > other) - (one < other);
}

static int read_beyond(struct cursor *cursor, char **error);

/* Reads the next rows, or finds the end. */
static int read_rows(struct cursor *cursor, char **error) {
    cursor->row = 0;
    cursor->batch.row_count = 0;
    while (cursor->batch.row_count == 0) {
        const uint8_t *metadata, *body;
        int32_t size;
        uint64_t body_bytes;
        int code = read_metadata(cursor, &metadata, &size, error);
        if (code != SQLITE_OK) return code;
        if (size == 0) {
            if (cursor->beyond != NULL && cursor->seen_count == cursor->limit) return read_beyond(cursor, error);
            end_reading(cursor);
            return SQLITE_OK;
        }
        if (arrow_kind_of(metadata, (size_t)size, &body_bytes) != ARROW_ROWS) return invalid(error);
        /* Reading the body may move the metadata. */
        uint8_t *copy = malloc((size_t)size);
        if (copy == NULL) return SQLITE_NOMEM;
        memcpy(copy, metadata, (size_t)size);
        code = service_read(&cursor->service, body_bytes, &body, error);
        bool is_valid = code == SQLITE_OK && arrow_read_rows(&cursor->batch, copy, (size_t)size, body, body_bytes);
        free(copy);
        if (code != SQLITE_OK) return code;
        if (!is_valid) return invalid(error);
    }
    return SQLITE_OK;
}

/* Calls for rows, of the server or of the kept table. */
static int call_for_rows(
    struct cursor *cursor, struct relativity_table *table, enum method method, const char *rest, char **error) {
    char *reply = NULL;
    int code = service_open(&cursor->service, table->database, error);
    const char *place = method == READ ? table->server : table->kept;
    if (code == SQLITE_OK) code = call(&cursor->service, method, place, rest, &reply, error);
    sqlite3_free(reply);
    return code;
}

static int start_reading(struct cursor *cursor, struct relativity_table *table, const char *rest, int count, char **error) {
    /* Changes are made at the server only. */
    bool is_away = table->kept != NULL && now() < table->away_until && !table->is_writing;
    int code = call_for_rows(cursor, table, is_away ? READ_KEPT : READ, rest, error);
    if (!is_away && code == SQLITE_OK) turn_to_server(table);
    if (!is_away && code == SQLITE_ERROR && !table->is_writing) {
        char *fields = NULL;
        code = turn_to_kept(table, &cursor->service, code, &fields, error);
        sqlite3_free(fields);
        service_close(&cursor->service);
        if (code == SQLITE_OK) code = call_for_rows(cursor, table, READ_KEPT, rest, error);
    }
    if (code != SQLITE_OK) return code;
    const uint8_t *metadata;
    int32_t size;
    uint64_t body_bytes;
    code = read_metadata(cursor, &metadata, &size, error);
    if (code != SQLITE_OK) return code;
    if (size <= 0 || arrow_kind_of(metadata, (size_t)size, &body_bytes) != ARROW_SCHEMA || body_bytes != 0
        || !arrow_read_schema(&cursor->batch, metadata, (size_t)size) || cursor->batch.column_count != count) {
        return invalid(error);
    }
    return read_rows(cursor, error);
}

/* Begins to read without the limit, since SQLite wants more rows. */
static int read_beyond(struct cursor *cursor, char **error) {
    struct relativity_table *table = (struct relativity_table *)cursor->base.pVtab;
    char *rest = cursor->beyond;
    int count = cursor->batch.column_count;
    cursor->beyond = NULL;
    qsort(cursor->seen, (size_t)cursor->seen_count, sizeof *cursor->seen, compare_ids);
    service_close(&cursor->service);
    arrow_free(&cursor->batch);
    int code = start_reading(cursor, table, rest, count, error);
    sqlite3_free(rest);
    return code;
}

/* Reads a number of a plan. */
static int take_number(const char **plan) {
    char *end;
    long number = strtol(*plan, &end, 10);
    *plan = end;
    return (int)number;
}

static int filter(sqlite3_vtab_cursor *base, int number, const char *plan, int count, sqlite3_value **values) {
    (void)number;
    struct cursor *cursor = (struct cursor *)base;
    struct relativity_table *table = (struct relativity_table *)base->pVtab;
    end_reading(cursor);
    cursor->is_over = false;
    cursor->number = 0;
    cursor->columns = sqlite3_malloc64(sizeof *cursor->columns * (sqlite3_uint64)table->count);
    if (cursor->columns == NULL) return SQLITE_NOMEM;
    for (int i = 0; i < table->count; i++) cursor->columns[i] = -1;

    sqlite3_str *condition = sqlite3_str_new(NULL);
    sqlite3_str *rest = sqlite3_str_new(NULL);
    bool is_first = true, is_possible = true;
    int used = 0;
    while (*plan != ';') {
        char operator= *plan++;
        int column = take_number(&plan);
        is_possible &= append_condition(condition, &table->fields[column], operator, values[used++], &is_first);
    }
    plan++;
    /* Decimals as text: otherwise each scan would begin with a request for the schema, to know their digits. */
    sqlite3_str_appendall(rest, ",\"decimal\":\"text\",\"table\":");
    json_append(rest, table->name);
    if (!is_first) {
        char *text = sqlite3_str_value(condition);
        sqlite3_str_appendall(rest, ",\"where\":");
        json_append(rest, text == NULL ? "" : text);
    }
    for (const char *before = ",\"order\":["; *plan == '+' || *plan == '-'; before = ",") {
        bool is_descending = *plan++ == '-';
        char *name = sqlite3_mprintf("%s%s", is_descending ? "-" : "", table->fields[take_number(&plan)].name);
        sqlite3_str_appendall(rest, before);
        json_append(rest, name == NULL ? "" : name);
        sqlite3_free(name);
        if (*plan != '+' && *plan != '-') sqlite3_str_appendchar(rest, 1, ']');
    }
    sqlite3_int64 limit = -1;
    if (*plan == 'L') {
        plan++;
        limit = sqlite3_value_int64(values[used++]);
    }
    for (plan++; *plan != 0; plan++) cursor->columns[take_number(&plan)] = 0;
    /* SQLite asks for the key only of a row to delete. */
    bool is_compared = changes_compare(table->connection);
    int columns = 0;
    for (int i = 0; i < table->count; i++) {
        if (cursor->columns[i] < 0 && !is_compared) continue;
        cursor->columns[i] = columns;
        sqlite3_str_appendall(rest, columns++ == 0 ? ",\"fields\":[" : ",");
        json_append(rest, table->fields[i].name);
    }
    sqlite3_str_appendchar(rest, 1, ']');
    (void)count;
    sqlite3_free(sqlite3_str_finish(condition));
    char *error = NULL;
    const char *pending = NULL;
    int code = changes_flush(table, &pending, &error);
    if (pending != NULL) {
        sqlite3_str_appendall(rest, ",\"pending\":");
        json_append(rest, pending);
    }
    if (limit > 0 && limit <= LARGEST_LIMIT && !table->is_writing) {
        cursor->limit = limit;
        cursor->beyond = sqlite3_mprintf("%s", sqlite3_str_value(rest));
        cursor->seen = sqlite3_malloc64(sizeof *cursor->seen * (sqlite3_uint64)limit);
        if (cursor->beyond == NULL || cursor->seen == NULL) code = SQLITE_NOMEM;
        sqlite3_str_appendf(rest, ",\"limit\":%lld", limit);
    }
    char *text = sqlite3_str_finish(rest);
    if (code == SQLITE_OK && text == NULL) code = SQLITE_NOMEM;
    if (code == SQLITE_OK && is_possible) code = start_reading(cursor, table, text, columns, &error);
    if (!is_possible) cursor->is_over = true;
    sqlite3_free(text);
    if (code != SQLITE_OK) end_reading(cursor);
    return set_error(base->pVtab, code, error);
}

/* Whether SQLite has had a row of the reading beyond a limit. */
static int is_seen(const struct cursor *cursor, bool *result) {
    sqlite3_int64 id;
    *result = false;
    if (cursor->is_over || cursor->beyond != NULL || cursor->seen_count == 0) return SQLITE_OK;
    int code = find_id(cursor, &id);
    *result = bsearch(&id, cursor->seen, (size_t)cursor->seen_count, sizeof id, compare_ids) != NULL;
    return code;
}

static int next(sqlite3_vtab_cursor *base) {
    struct cursor *cursor = (struct cursor *)base;
    char *error = NULL;
    int code = SQLITE_OK;
    bool is_known = true;
    cursor->number++;
    if (cursor->beyond != NULL && cursor->seen_count == cursor->limit) {
        /* More rows than the limit. */
        code = invalid(&error);
    } else if (cursor->beyond != NULL) {
        code = find_id(cursor, &cursor->seen[cursor->seen_count++]);
    }
    while (code == SQLITE_OK && is_known) {
        if (++cursor->row >= cursor->batch.row_count) code = read_rows(cursor, &error);
        if (code == SQLITE_OK) code = is_seen(cursor, &is_known);
    }
    if (code != SQLITE_OK) end_reading(cursor);
    return set_error(base->pVtab, code, error);
}

static int is_at_end(sqlite3_vtab_cursor *base) { return ((struct cursor *)base)->is_over; }

/* Remembers the row for the statement that will change it. */
static int remember(const struct cursor *cursor, struct relativity_table *table, sqlite3_int64 row_id) {
    sqlite3_str *texts[2] = {sqlite3_str_new(NULL), sqlite3_str_new(NULL)};
    for (int i = 0; i < table->count; i++) {
        if (cursor->columns[i] < 0) continue;
        const struct arrow_column *column = &cursor->batch.columns[cursor->columns[i]];
        sqlite3_str *value = sqlite3_str_new(NULL);
        bool has_value = json_append_cell(value, column, cursor->row);
        char *text = sqlite3_str_finish(value);
        for (int j = 0; has_value && j < 2; j++) {
            if (j == 0 && !table->fields[i].is_key) continue;
            if (sqlite3_str_length(texts[j]) > 0) sqlite3_str_appendchar(texts[j], 1, ',');
            json_append(texts[j], table->fields[i].name);
            sqlite3_str_appendchar(texts[j], 1, ':');
            sqlite3_str_appendall(texts[j], text == NULL ? "null" : text);
        }
        sqlite3_free(text);
    }
    char *key = sqlite3_str_finish(texts[0]);
    return changes_remember(table, row_id, key, sqlite3_str_finish(texts[1]));
}

static int row_id(sqlite3_vtab_cursor *base, sqlite3_int64 *result) {
    struct cursor *cursor = (struct cursor *)base;
    struct relativity_table *table = (struct relativity_table *)base->pVtab;
    int code = find_id(cursor, result);
    return code == SQLITE_OK && table->is_writing && table->has_key ? remember(cursor, table, *result) : code;
}

static void result_time(sqlite3_context *context, int64_t milliseconds) {
    char text[24];
    if (time_text(milliseconds, text)) {
        sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
    } else {
        sqlite3_result_error(context, "a time is not of the years 1 to 9999", -1);
    }
}

/* A number of any size as the exact number that SQLite has for it. */
static void result_amount(sqlite3_context *context, const struct field *field, const char *text, int digits) {
    const char *digit = text + (*text == '-');
    if (field->form == FORM_OTHER_TEXT) {
        sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
    } else if (strchr(text, '.') == NULL && (strlen(digit) < 19 || (strlen(digit) == 19 && strcmp(digit, "9223372036854775807") <= 0))) {
        sqlite3_result_int64(context, strtoll(text, NULL, 10));
    } else if (digits <= 15) {
        sqlite3_result_double(context, number_of(text));
    } else {
        char *error = sqlite3_mprintf(
            "the field '%s' has the number %s, which SQLite cannot store exactly: make the table with 'amounts=text'",
            field->name, text);
        sqlite3_result_error(context, error == NULL ? "out of memory" : error, -1);
        sqlite3_free(error);
    }
}

/* The same for a number that came as text. */
static void result_number_text(sqlite3_context *context, const struct field *field, const uint8_t *bytes, uint64_t size) {
    char text[64];
    if (size >= sizeof text) {
        sqlite3_result_error(context, "a number has too many digits", -1);
        return;
    }
    memcpy(text, bytes, size);
    text[size] = 0;
    char *point = strchr(text, '.');
    if (point != NULL) {
        char *end = text + size;
        while (end[-1] == '0') *--end = 0;
        if (end[-1] == '.') end[-1] = 0;
    }
    int digits = 0;
    for (const char *in = text; *in != 0; in++) digits += *in >= '0' && *in <= '9' && (digits > 0 || *in != '0');
    result_amount(context, field, text, digits);
}

static int column(sqlite3_vtab_cursor *base, sqlite3_context *context, int number) {
    struct cursor *cursor = (struct cursor *)base;
    struct relativity_table *table = (struct relativity_table *)base->pVtab;
    int index = cursor->columns[number];
    if (index < 0 || (table->is_writing && sqlite3_vtab_nochange(context))) return SQLITE_OK;
    const struct field *field = &table->fields[number];
    const struct arrow_column *column = &cursor->batch.columns[index];
    if (arrow_is_null(column, cursor->row)) return SQLITE_OK;
    switch (column->kind) {
    case ARROW_INT:
    case ARROW_BOOL: sqlite3_result_int64(context, arrow_integer(column, cursor->row)); break;
    case ARROW_UINT: {
        uint64_t value = (uint64_t)arrow_integer(column, cursor->row);
        char text[24];
        sqlite3_snprintf(sizeof text, text, "%llu", value);
        result_amount(context, field, text, (int)strlen(text));
        break;
    }
    case ARROW_FLOAT: sqlite3_result_double(context, arrow_double(column, cursor->row)); break;
    case ARROW_TIMESTAMP: result_time(context, arrow_integer(column, cursor->row)); break;
    case ARROW_DECIMAL: {
        char text[48];
        int digits = arrow_decimal(column, cursor->row, text);
        result_amount(context, field, text, digits);
        break;
    }
    case ARROW_TEXT:
    case ARROW_BLOB: {
        const uint8_t *bytes;
        uint64_t size;
        if (!arrow_bytes(column, cursor->row, &bytes, &size)) return SQLITE_CORRUPT_VTAB;
        if (column->kind == ARROW_BLOB) {
            sqlite3_result_blob64(context, bytes, size, SQLITE_TRANSIENT);
        } else if (field->form == FORM_AMOUNT) {
            result_number_text(context, field, bytes, size);
        } else {
            sqlite3_result_text64(context, (const char *)bytes, size, SQLITE_TRANSIENT, SQLITE_UTF8);
        }
    }
    }
    return SQLITE_OK;
}

/* MARK: Changes */

static int update(sqlite3_vtab *base, int count, sqlite3_value **values, sqlite3_int64 *row_id) {
    char *error = NULL;
    int code = changes_update((struct relativity_table *)base, count, values, row_id, &error);
    return set_error(base, code, error);
}

static int begin(sqlite3_vtab *base) {
    char *error = NULL;
    int code = changes_begin((struct relativity_table *)base, &error);
    return set_error(base, code, error);
}

static int synchronise(sqlite3_vtab *base) {
    char *error = NULL;
    int code = changes_sync((struct relativity_table *)base, &error);
    return set_error(base, code, error);
}

static int commit(sqlite3_vtab *base) {
    changes_end((struct relativity_table *)base, true);
    return SQLITE_OK;
}

static int roll_back(sqlite3_vtab *base) {
    changes_end((struct relativity_table *)base, false);
    return SQLITE_OK;
}

static int savepoint(sqlite3_vtab *base, int level) {
    return changes_savepoint((struct relativity_table *)base, level);
}

static int release(sqlite3_vtab *base, int level) {
    changes_release((struct relativity_table *)base, level);
    return SQLITE_OK;
}

static int roll_back_to(sqlite3_vtab *base, int level) {
    char *error = NULL;
    int code = changes_roll_back_to((struct relativity_table *)base, level, &error);
    return set_error(base, code, error);
}

static const sqlite3_module module = {
    .iVersion = 2,
    .xCreate = connect_table,
    .xConnect = connect_table,
    .xBestIndex = best_index,
    .xDisconnect = disconnect,
    .xDestroy = destroy,
    .xOpen = open_cursor,
    .xClose = close_cursor,
    .xFilter = filter,
    .xNext = next,
    .xEof = is_at_end,
    .xColumn = column,
    .xRowid = row_id,
    .xUpdate = update,
    .xBegin = begin,
    .xSync = synchronise,
    .xCommit = commit,
    .xRollback = roll_back,
    .xSavepoint = savepoint,
    .xRelease = release,
    .xRollbackTo = roll_back_to,
};

/* MARK: Functions */

/* Prepares a statement that returns the names of the tables of a server, or of the kept ones if it is away. */
static int list_tables(
    struct connection *connection, sqlite3 *database, const char *server, char **reply, sqlite3_stmt **names, char **error) {
    struct service *service = &connection->service;
    int code = ask(service, database, LIST_TABLES, server, "", reply, error);
    if (code == SQLITE_OK) return json_query("SELECT value FROM json_each(?1, '$.parameters.tables')", *reply, names, error);
    if (code != SQLITE_ERROR || !service->is_away) return code;
    char *away = *error, *endpoint = sqlite3_mprintf("%s", *service->away == 0 ? server : service->away);
    *error = NULL;
    int kept = endpoint == NULL ? SQLITE_NOMEM : ask(service, database, LIST_KEPT, "", "", reply, error);
    if (kept == SQLITE_OK) {
        kept = json_query(
            "SELECT json_extract(t.value, '$.name')"
            " FROM json_each(?1, '$.parameters.kept') AS k, json_each(k.value, '$.tables') AS t"
            " WHERE ?2 IN (json_extract(k.value, '$.endpoint'), json_extract(k.value, '$.name'))",
            *reply, names, error);
    }
    if (kept == SQLITE_OK) kept = sqlite3_bind_text(*names, 2, endpoint, -1, SQLITE_TRANSIENT);
    if (kept == SQLITE_OK && sqlite3_step(*names) == SQLITE_ROW) {
        sqlite3_reset(*names);
        sqlite3_free(away);
    } else {
        json_end(*names);
        *names = NULL;
        sqlite3_free(*error);
        *error = away;
        kept = code;
    }
    sqlite3_free(endpoint);
    return kept;
}

/* Whether a schema of the database has a table or view; with sql, one that was made by this statement. */
static bool has_table(sqlite3 *database, const char *schema, const char *name, const char *sql) {
    sqlite3_stmt *statement = NULL;
    char *query = sqlite3_mprintf(
        "SELECT 1 FROM \"%w\".sqlite_schema WHERE type IN ('table', 'view') AND name = %Q COLLATE NOCASE"
        " AND coalesce(sql = %Q, 1)",
        schema, name, sql);
    bool is_found = query != NULL && sqlite3_prepare_v2(database, query, -1, &statement, NULL) == SQLITE_OK
        && sqlite3_step(statement) == SQLITE_ROW;
    sqlite3_finalize(statement);
    sqlite3_free(query);
    return is_found;
}

/* Whether a new table would hide one of the user, or have its name. A temporary table hides those of all other schemas. */
static bool is_taken(sqlite3 *database, const char *schema, const char *name) {
    const char *other;
    bool is_temporary = sqlite3_stricmp(schema, "temp") == 0;
    for (int i = 0; (other = sqlite3_db_name(database, i)) != NULL; i++) {
        if ((is_temporary || sqlite3_stricmp(schema, other) == 0) && has_table(database, other, name, NULL)) return true;
    }
    return false;
}

/*
 * relativity_attach(SERVER [, SCHEMA]): makes a virtual table for each table of a server, and returns their number. Those of an
 * earlier call count too. If the name of a table is taken, the result is a text that says so.
 */
static void attach(sqlite3_context *context, int count, sqlite3_value **values) {
    sqlite3 *database = sqlite3_context_db_handle(context);
    const char *server = (const char *)sqlite3_value_text(values[0]);
    const char *schema = count > 1 ? (const char *)sqlite3_value_text(values[1]) : "temp";
    if (server == NULL || schema == NULL) {
        sqlite3_result_error(context, "write: relativity_attach('SERVER')", -1);
        return;
    }
    char *error = NULL, *reply = NULL;
    sqlite3_stmt *names = NULL;
    int made = 0;
    sqlite3_str *taken = sqlite3_str_new(NULL);
    int code = list_tables(sqlite3_user_data(context), database, server, &reply, &names, &error);
    while (code == SQLITE_OK && sqlite3_step(names) == SQLITE_ROW) {
        const unsigned char *name = sqlite3_column_text(names, 0);
        const char *form = "CREATE VIRTUAL TABLE %s\"%w\" USING relativity(%Q, %Q)";
        char *place = sqlite3_mprintf("\"%w\".", schema);
        char *sql = sqlite3_mprintf(form, place == NULL ? "" : place, name, server, name);
        char *stored = sqlite3_mprintf(form, "", name, server, name);
        if (place == NULL || sql == NULL || stored == NULL) {
            code = SQLITE_NOMEM;
        } else if (has_table(database, schema, (const char *)name, stored)) {
            made++;
        } else if (is_taken(database, schema, (const char *)name)) {
            sqlite3_str_appendf(taken, "%s%s", sqlite3_str_length(taken) > 0 ? ", " : "", name);
        } else {
            code = sqlite3_exec(database, sql, NULL, NULL, &error);
            made++;
        }
        sqlite3_free(place);
        sqlite3_free(sql);
        sqlite3_free(stored);
    }
    char *names_taken = sqlite3_str_finish(taken);
    json_end(names);
    sqlite3_free(reply);
    if (code == SQLITE_OK && names_taken != NULL) {
        char *text = sqlite3_mprintf(
            "%d, without these, whose names the database has already: %s; create virtual table temp.NAME using"
            " relativity(%Q, 'TABLE') gives one another name",
            made, names_taken, server);
        sqlite3_result_text(context, text, -1, sqlite3_free);
    } else if (code == SQLITE_OK) {
        sqlite3_result_int(context, made);
    } else if (error == NULL) {
        sqlite3_result_error_code(context, code);
    } else {
        sqlite3_result_error(context, error, -1);
    }
    sqlite3_free(names_taken);
    sqlite3_free(error);
}

static void close_connection(void *context) {
    struct connection *connection = context;
    service_close(&connection->service);
    changes_free(&connection->changes);
    sqlite3_free(connection);
}

/* The entry point for files with the name relativity.so. */
__attribute__((visibility("default"))) int sqlite3_relativity_init(sqlite3 *database, char **error, const sqlite3_api_routines *api) {
    SQLITE_EXTENSION_INIT2(api);
    if (sqlite3_libversion_number() < 3039000) {
        *error = sqlite3_mprintf("relativity needs SQLite 3.39 or later");
        return SQLITE_ERROR;
    }
    struct connection *connection = sqlite3_malloc64(sizeof *connection);
    if (connection == NULL) return SQLITE_NOMEM;
    *connection = (struct connection){.database = database, .service = {.database = database, .socket = -1}};
    int code = sqlite3_create_module_v2(database, "relativity", &module, connection, close_connection);
    if (code == SQLITE_OK) code = sqlite3_create_module(database, "relativity_status", &status_module, connection);
    static const struct {
        const char *name;
        int count;
        void (*function)(sqlite3_context *, int, sqlite3_value **);
    } functions[] = {
        {"relativity_attach", 1, attach}, {"relativity_attach", 2, attach}, {"relativity_write", 1, changes_allow},
        {"relativity_key", 1, changes_find_key}, {"relativity_key", 2, changes_find_key},
    };
    for (size_t i = 0; code == SQLITE_OK && i < sizeof functions / sizeof *functions; i++) {
        code = sqlite3_create_function_v2(
            database, functions[i].name, functions[i].count, SQLITE_UTF8 | SQLITE_DIRECTONLY, connection,
            functions[i].function, NULL, NULL, NULL);
    }
    return code;
}
