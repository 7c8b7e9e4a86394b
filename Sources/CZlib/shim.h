// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <zlib.h>

// inflateInit and deflateInit are macros with arguments, which Swift does not import.
static inline int relz_inflate_init(z_stream *stream) { return inflateInit(stream); }
static inline int relz_deflate_init(z_stream *stream, int level) { return deflateInit(stream, level); }
