/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The input is two messages of an Arrow stream as they are on a connection, a schema and rows: 8 bytes of prefix, of which the last
 * 4 are the length of the metadata, the metadata, and the body of the second.
 */

#include "../../sqlite/arrow.h"

#include <string.h>

/* Takes the metadata of a message from the input. */
static const uint8_t *take(const uint8_t **bytes, size_t *left, size_t *size) {
    uint32_t length;
    if (*left < 8) return NULL;
    memcpy(&length, *bytes + 4, 4);
    if (length > *left - 8) return NULL;
    const uint8_t *metadata = *bytes + 8;
    *size = length;
    *bytes += 8 + length;
    *left -= 8 + length;
    return metadata;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t left) {
    struct arrow_batch batch = {0};
    size_t size;
    uint64_t body_bytes, sum = 0;
    const uint8_t *schema = take(&bytes, &left, &size);
    if (schema == NULL || arrow_kind_of(schema, size, &body_bytes) != ARROW_SCHEMA || !arrow_read_schema(&batch, schema, size)) {
        arrow_free(&batch);
        return 0;
    }
    const uint8_t *rows = take(&bytes, &left, &size);
    if (rows != NULL && arrow_kind_of(rows, size, &body_bytes) == ARROW_ROWS && arrow_read_rows(&batch, rows, size, bytes, left)) {
        for (int i = 0; i < batch.column_count; i++) {
            const struct arrow_column *column = &batch.columns[i];
            for (int64_t row = 0; row < batch.row_count; row++) {
                const uint8_t *value;
                uint64_t length;
                char text[48];
                if (arrow_is_null(column, row)) continue;
                switch (column->kind) {
                case ARROW_FLOAT: sum += arrow_double(column, row) > 0; break;
                case ARROW_DECIMAL: sum += (uint64_t)arrow_decimal(column, row, text) + strlen(text); break;
                case ARROW_TEXT:
                case ARROW_BLOB:
                    if (arrow_bytes(column, row, &value, &length) && length > 0) sum += value[0] + value[length - 1];
                    break;
                default: sum += (uint64_t)arrow_integer(column, row);
                }
            }
        }
    }
    arrow_free(&batch);
    return sum == UINT64_MAX ? -1 : 0;
}
