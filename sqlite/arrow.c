/* SPDX-License-Identifier: Apache-2.0 */

#include "arrow.h"

#include <stdlib.h>
#include <string.h>

/* A table of a flatbuffer (flatbuffers.dev/internals): its place, and that of its list of fields. */
struct table {
    const uint8_t *bytes;
    size_t size;
    size_t start;
    size_t fields;
    size_t fields_size;
};

static bool has(size_t size, size_t offset, size_t count) { return offset <= size && count <= size - offset; }

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "as all numbers of a stream are");

/* A number of 1, 2, 4 or 8 bytes. */
static inline uint64_t load(const uint8_t *bytes, int count) {
    uint64_t eight;
    uint32_t four;
    uint16_t two;
    switch (count) {
    case 8: memcpy(&eight, bytes, sizeof eight); return eight;
    case 4: memcpy(&four, bytes, sizeof four); return four;
    case 2: memcpy(&two, bytes, sizeof two); return two;
    default: return *bytes;
    }
}

static bool open_table(struct table *table, const uint8_t *bytes, size_t size, size_t start) {
    if (!has(size, start, 4)) return false;
    int64_t fields = (int64_t)start - (int32_t)load(bytes + start, 4);
    if (fields < 0 || !has(size, (size_t)fields, 4)) return false;
    size_t fields_size = load(bytes + fields, 2);
    if (fields_size < 4 || !has(size, (size_t)fields, fields_size)) return false;
    *table = (struct table){bytes, size, start, (size_t)fields, fields_size};
    return true;
}

/* The place of a field; 0 if it is absent or not within the buffer. */
static size_t field(const struct table *table, int index, size_t count) {
    size_t entry = 4 + 2 * (size_t)index;
    if (entry + 2 > table->fields_size) return 0;
    size_t offset = load(table->bytes + table->fields + entry, 2);
    if (offset == 0 || !has(table->size, table->start + offset, count)) return 0;
    return table->start + offset;
}

static int64_t number(const struct table *table, int index, int count, int64_t missing) {
    size_t place = field(table, index, (size_t)count);
    if (place == 0) return missing;
    uint64_t value = load(table->bytes + place, count);
    int shift = 64 - 8 * count;
    return (int64_t)(value << shift) >> shift;
}

/* The place that an offset in a field points to; 0 if there is none. */
static size_t target(const struct table *table, int index) {
    size_t place = field(table, index, 4);
    if (place == 0) return 0;
    size_t offset = load(table->bytes + place, 4);
    return has(table->size, place, offset) && has(table->size, place + offset, 4) ? place + offset : 0;
}

static bool subtable(const struct table *table, int index, struct table *result) {
    size_t place = target(table, index);
    return place != 0 && open_table(result, table->bytes, table->size, place);
}

/* The elements of a vector: their number, and the place of the first. Returns false if they are not within the buffer. */
static bool vector(const struct table *table, int index, size_t element, size_t *count, size_t *first) {
    size_t place = target(table, index);
    if (place == 0) return false;
    *count = load(table->bytes + place, 4);
    *first = place + 4;
    return *count <= (table->size - *first) / element;
}

/* Message: version, header_type, header, bodyLength. */
static bool open_message(struct table *message, const uint8_t *metadata, size_t size) {
    return has(size, 0, 4) && open_table(message, metadata, size, load(metadata, 4));
}

enum arrow_message arrow_kind_of(const uint8_t *metadata, size_t size, uint64_t *body_bytes) {
    struct table message;
    if (!open_message(&message, metadata, size)) return ARROW_INVALID;
    int64_t bytes = number(&message, 3, 8, 0);
    if (bytes < 0) return ARROW_INVALID;
    *body_bytes = (uint64_t)bytes;
    switch (number(&message, 1, 1, 0)) {
    case 1: return ARROW_SCHEMA;
    case 3: return ARROW_ROWS;
    default: return ARROW_INVALID;
    }
}

/* Field: name, nullable, type_type, type. */
static bool read_column(const struct table *field, struct arrow_column *column) {
    struct table type;
    if (!subtable(field, 3, &type)) return false;
    switch (number(field, 2, 1, 0)) {
    case 2:
        column->width = (int)number(&type, 0, 4, 0);
        column->kind = number(&type, 1, 1, 0) != 0 ? ARROW_INT : ARROW_UINT;
        return column->width == 8 || column->width == 16 || column->width == 32 || column->width == 64;
    case 3: {
        int64_t precision = number(&type, 0, 2, 0);
        column->kind = ARROW_FLOAT;
        column->width = precision == 1 ? 32 : 64;
        return precision == 1 || precision == 2;
    }
    case 6: column->kind = ARROW_BOOL; return true;
    case 7:
        column->kind = ARROW_DECIMAL;
        column->scale = (int)number(&type, 1, 4, 0);
        column->width = 128;
        return number(&type, 2, 4, 128) == 128 && column->scale >= 0 && column->scale <= 38;
    case 10:
        column->kind = ARROW_TIMESTAMP;
        column->width = 64;
        return number(&type, 0, 2, 0) == 1;
    case 19: column->kind = ARROW_BLOB; return true;
    case 20: column->kind = ARROW_TEXT; return true;
    default: return false;
    }
}

bool arrow_read_schema(struct arrow_batch *batch, const uint8_t *metadata, size_t size) {
    struct table message, schema;
    size_t count, first;
    if (!open_message(&message, metadata, size) || !subtable(&message, 2, &schema)) return false;
    if (!vector(&schema, 1, 4, &count, &first) || count == 0 || count > 32767) return false;
    batch->columns = calloc(count, sizeof *batch->columns);
    if (batch->columns == NULL) return false;
    batch->column_count = (int)count;
    for (size_t i = 0; i < count; i++) {
        size_t place = first + 4 * i;
        size_t offset = load(metadata + place, 4);
        struct table field;
        if (!has(size, place, offset) || !open_table(&field, metadata, size, place + offset)) return false;
        if (!read_column(&field, &batch->columns[i])) return false;
    }
    return true;
}

static bool has_offsets(const struct arrow_column *column) {
    return column->kind == ARROW_TEXT || column->kind == ARROW_BLOB;
}

/* RecordBatch: length, nodes, buffers, compression. */
bool arrow_read_rows(
    struct arrow_batch *batch, const uint8_t *metadata, size_t size, const uint8_t *body, uint64_t body_bytes) {
    struct table message, rows;
    size_t node_count, first_node, buffer_count, first_buffer;
    if (!open_message(&message, metadata, size) || !subtable(&message, 2, &rows)) return false;
    if (!vector(&rows, 1, 16, &node_count, &first_node) || !vector(&rows, 2, 16, &buffer_count, &first_buffer)) return false;
    int64_t count = number(&rows, 0, 8, 0);
    if (count < 0 || count > INT32_MAX || node_count != (size_t)batch->column_count || target(&rows, 3) != 0) return false;
    size_t next = 0;
    for (int i = 0; i < batch->column_count; i++) {
        struct arrow_column *column = &batch->columns[i];
        const uint8_t *node = metadata + first_node + 16 * (size_t)i;
        if ((int64_t)load(node, 8) != count) return false;
        size_t wanted = has_offsets(column) ? 3 : 2;
        if (buffer_count - next < wanted) return false;
        const uint8_t *buffers[3];
        uint64_t sizes[3];
        for (size_t j = 0; j < wanted; j++, next++) {
            const uint8_t *buffer = metadata + first_buffer + 16 * next;
            uint64_t offset = load(buffer, 8);
            sizes[j] = load(buffer + 8, 8);
            if (offset > body_bytes || sizes[j] > body_bytes - offset) return false;
            buffers[j] = body + offset;
        }
        uint64_t bits = ((uint64_t)count + 7) / 8;
        bool has_nulls = load(node + 8, 8) != 0;
        if (has_nulls && sizes[0] < bits) return false;
        column->validity = has_nulls ? buffers[0] : NULL;
        column->offsets = has_offsets(column) ? buffers[1] : NULL;
        column->values = buffers[wanted - 1];
        column->value_bytes = sizes[wanted - 1];
        if (has_offsets(column)) {
            if (count > 0 && sizes[1] < ((uint64_t)count + 1) * 8) return false;
        } else {
            uint64_t needed = column->kind == ARROW_BOOL ? bits : (uint64_t)count * (uint64_t)(column->width / 8);
            if (column->value_bytes < needed) return false;
        }
    }
    batch->row_count = count;
    return true;
}

void arrow_free(struct arrow_batch *batch) {
    free(batch->columns);
    *batch = (struct arrow_batch){0};
}

bool arrow_is_null(const struct arrow_column *column, int64_t row) {
    return column->validity != NULL && (column->validity[row / 8] >> (row % 8) & 1) == 0;
}

int64_t arrow_integer(const struct arrow_column *column, int64_t row) {
    if (column->kind == ARROW_BOOL) return column->values[row / 8] >> (row % 8) & 1;
    int bytes = column->width / 8;
    uint64_t value = load(column->values + row * bytes, bytes);
    int shift = column->kind == ARROW_UINT ? 0 : 64 - column->width;
    return (int64_t)(value << shift) >> shift;
}

double arrow_double(const struct arrow_column *column, int64_t row) {
    if (column->width == 32) {
        float value;
        memcpy(&value, column->values + row * 4, sizeof value);
        return value;
    }
    double value;
    memcpy(&value, column->values + row * 8, sizeof value);
    return value;
}

bool arrow_bytes(const struct arrow_column *column, int64_t row, const uint8_t **bytes, uint64_t *size) {
    uint64_t start = load(column->offsets + row * 8, 8);
    uint64_t end = load(column->offsets + (row + 1) * 8, 8);
    if (start > end || end > column->value_bytes) return false;
    *bytes = column->values + start;
    *size = end - start;
    return true;
}

int arrow_decimal(const struct arrow_column *column, int64_t row, char *text) {
    const uint8_t *bytes = column->values + row * 16;
    unsigned __int128 value = (unsigned __int128)load(bytes + 8, 8) << 64 | load(bytes, 8);
    bool is_negative = value >> 127;
    if (is_negative) value = -value;
    int scale = column->scale;
    while (scale > 0 && value % 10 == 0) {
        value /= 10;
        scale--;
    }
    char digits[40];
    int count = 0;
    do {
        digits[count++] = (char)('0' + (int)(value % 10));
        value /= 10;
    } while (value > 0);
    int significant = count;
    while (count <= scale) digits[count++] = '0';
    char *out = text;
    if (is_negative) *out++ = '-';
    while (count > 0) {
        if (count == scale) *out++ = '.';
        *out++ = digits[--count];
    }
    *out = 0;
    return significant;
}
