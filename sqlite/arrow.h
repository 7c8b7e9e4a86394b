/* SPDX-License-Identifier: Apache-2.0 */

#ifndef RELATIVITY_ARROW_H
#define RELATIVITY_ARROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A reader of the messages of an Apache Arrow IPC stream (arrow.apache.org/docs/format/Columnar.html), for the types that the
 * Data API sends. It reads memory only; the caller reads the connection. Each offset and length is checked.
 */

/* The types of columns. */
enum arrow_kind {
    ARROW_INT,       /* width bits, 8 to 64 */
    ARROW_UINT,      /* width bits, 8 to 64 */
    ARROW_FLOAT,     /* width bits, 32 or 64 */
    ARROW_BOOL,      /* a bit */
    ARROW_DECIMAL,   /* 128 bits, scaled by 10^scale */
    ARROW_TIMESTAMP, /* 64 bits, milliseconds since 1970 without a zone */
    ARROW_TEXT,      /* UTF-8, with offsets of 64 bits */
    ARROW_BLOB       /* bytes, with offsets of 64 bits */
};

struct arrow_column {
    enum arrow_kind kind;
    int width;
    int scale;
    /* Of the present batch. No validity if no value is NULL. */
    const uint8_t *validity;
    const uint8_t *offsets;
    const uint8_t *values;
    uint64_t value_bytes;
};

struct arrow_batch {
    struct arrow_column *columns;
    int column_count;
    int64_t row_count;
};

/* The kinds of messages. */
enum arrow_message { ARROW_SCHEMA, ARROW_ROWS, ARROW_INVALID };

/*
 * Reads the metadata of a message.
 * body_bytes: receives the length of the body that follows, for ARROW_ROWS and ARROW_SCHEMA.
 */
enum arrow_message arrow_kind_of(const uint8_t *metadata, size_t size, uint64_t *body_bytes);

/* Makes the columns of a schema, which arrow_free frees. Returns whether all types are known. */
bool arrow_read_schema(struct arrow_batch *batch, const uint8_t *metadata, size_t size);

/* Sets the rows to those of a message, whose body must live as long as they are used. Returns whether it is valid. */
bool arrow_read_rows(
    struct arrow_batch *batch, const uint8_t *metadata, size_t size, const uint8_t *body, uint64_t body_bytes);

void arrow_free(struct arrow_batch *batch);

/* Whether a value is NULL. The row is less than row_count. */
bool arrow_is_null(const struct arrow_column *column, int64_t row);

/* A value of ARROW_INT, ARROW_UINT (its bits), ARROW_BOOL and ARROW_TIMESTAMP. */
int64_t arrow_integer(const struct arrow_column *column, int64_t row);

double arrow_double(const struct arrow_column *column, int64_t row);

/* Whether the offsets of a value are in order and within its column; then bytes and size are set. */
bool arrow_bytes(const struct arrow_column *column, int64_t row, const uint8_t **bytes, uint64_t *size);

/*
 * Writes an ARROW_DECIMAL as digits without zeros at the end of its fraction, such as -12.5.
 * text: at least 48 bytes. Returns the number of digits.
 */
int arrow_decimal(const struct arrow_column *column, int64_t row, char *text);

#endif
