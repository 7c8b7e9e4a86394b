/* SPDX-License-Identifier: Apache-2.0 */

#ifndef RELATIVITY_VALUES_H
#define RELATIVITY_VALUES_H

#include "arrow.h"
#include "table.h"

/*
 * Writes milliseconds since 1970 as YYYY-MM-DDTHH:MM:SS, with milliseconds if there are any, and a NUL.
 * text: at least 24 bytes. Returns false if the year is not one of 1 to 9999.
 */
bool time_text(int64_t milliseconds, char *text);

/*
 * Appends a value of a batch in the form that edits of the Data API have.
 * Returns false, and appends nothing, if the form does not have the value, or if it is a Blob or a text of more than 16 KiB.
 */
bool json_append_cell(sqlite3_str *json, const struct arrow_column *column, int64_t row);

/* The number of a text such as -1.5e3, whatever the locale. */
double number_of(const char *text);

/* Appends a value of a statement in that form. Returns false, and appends nothing, if the field cannot have its type. */
bool json_append_value(sqlite3_str *json, const struct field *field, sqlite3_value *value);

/* Appends a text of a server with its control characters, and those that change the direction of text, as <U+1B>. */
void append_printable(sqlite3_str *text, const char *untrusted);

#endif
