// SPDX-License-Identifier: Apache-2.0
// The interface of toml++ for Swift: a document as a flat list of values. No function throws a C++ exception.
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

/// A value. The values in a table or an array follow it immediately, each followed by its own nested values.
typedef struct relt_value {
    relt_kind kind;
    /// The position of the value's first character, from 1.
    uint32_t line, column;
    /// The number of direct children.
    size_t count;
    /// The key in a table. Neither key nor text ends with a NUL.
    const char *key;
    size_t key_size;
    const char *text;
    size_t text_size;
    /// 0 or 1 for a boolean.
    int64_t integer;
    double number;
} relt_value;

/// The reason why a text was rejected. It ends with a NUL and may contain any bytes of the text.
typedef struct relt_fault {
    uint32_t line, column;
    char reason[256];
} relt_fault;

typedef struct relt_document relt_document;

/// Parses a text. Returns NULL and the fault if it is not TOML. The nesting of the text must be bounded, because this
/// function and relt_free recurse.
relt_document *relt_parse(const char *text, size_t size, relt_fault *fault);

/// Returns the values, the root table first. There is at least one. They are valid until the document is freed.
const relt_value *relt_values(const relt_document *document, size_t *count);

/// Frees a document and its values.
void relt_free(relt_document *document);

#ifdef __cplusplus
}
#endif
