// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static inline voidpf relz_allocate(voidpf opaque, uInt items, uInt size) {
    (void)opaque;
    return malloc((size_t)items * size);
}

// The window of an inflated reply may hold what a server repeats of a login.
static inline void relz_free(voidpf opaque, voidpf address) {
    (void)opaque;
    if (address) explicit_bzero(address, malloc_usable_size(address));
    free(address);
}

// inflateInit and deflateInit are macros with arguments, which Swift does not import.
static inline int relz_inflate_init(z_stream *stream) {
    stream->zalloc = relz_allocate;
    stream->zfree = relz_free;
    return inflateInit(stream);
}
static inline int relz_deflate_init(z_stream *stream, int level) { return deflateInit(stream, level); }
