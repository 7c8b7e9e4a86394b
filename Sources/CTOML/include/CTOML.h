// SPDX-License-Identifier: Apache-2.0
// What Swift needs of toml++: a document as one list of its values. No C++ exception leaves these functions.
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum relt_kind {
    relt_table,
    relt_array,
    relt_string,
    relt_integer,
    relt_float,
    relt_boolean,
    /// A date, a time, or both.
    relt_moment
} relt_kind;

/// One value. The values in a table or an array follow it, each with what is in it in turn.
typedef struct relt_value {
    relt_kind kind;
    /// Where the value begins, from 1.
    uint32_t line, column;
    /// How many values are directly in it.
    size_t count;
    /// Its name in a table; neither key nor text ends with a NUL.
    const char *key;
    size_t key_size;
    const char *text;
    size_t text_size;
    /// 0 or 1 for a boolean.
    int64_t integer;
    double number;
} relt_value;

/// Why a text is no document. The reason ends with a NUL and may hold any bytes of the text.
typedef struct relt_fault {
    uint32_t line, column;
    char reason[256];
} relt_fault;

typedef struct relt_document relt_document;

/// Returns NULL and the fault if the text is no TOML. The depth of the text must be bounded: this and relt_free recurse.
relt_document *relt_parse(const char *text, size_t size, relt_fault *fault);

/// The values, the root table first, for as long as the document lives. There is at least one.
const relt_value *relt_values(const relt_document *document, size_t *count);

void relt_free(relt_document *document);

#ifdef __cplusplus
}
#endif
