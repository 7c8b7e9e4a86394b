// SPDX-License-Identifier: Apache-2.0
//
// decode_copy NAME FILE ROUNDS: reads a reply that wire-probe wrote, checks every count and every text, and copies
// each value into its own memory. This is the minimum work of any decoder. The types are known in advance.
#include "peer.h"

#include <stdbool.h>

struct reader {
    const uint8_t *at, *end;
    uint8_t *out;
};

static uint32_t read_count(struct reader *reader) {
    uint32_t value;
    if (reader->end - reader->at < 4) fail("message cut short");
    memcpy(&value, reader->at, 4);
    reader->at += 4;
    return value;
}

static const uint8_t *take(struct reader *reader, uint32_t count) {
    if ((size_t)(reader->end - reader->at) < count) fail("message cut short");
    const uint8_t *start = reader->at;
    reader->at += count;
    return start;
}

static void copy(struct reader *reader, const uint8_t *bytes, uint32_t count) {
    memcpy(reader->out, &count, 4);
    memcpy(reader->out + 4, bytes, count);
    reader->out += 4 + count;
}

// Checks for well-formed UTF-8 (Unicode, table 3-7).
static bool is_utf8(const uint8_t *text, uint32_t count) {
    const uint8_t *end = text + count;
    while (text < end) {
        uint8_t first = *text++;
        if (first < 0x80) continue;
        int more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1;
        if (first < 0xC2 || first > 0xF4 || end - text < more) return false;
        uint8_t low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
        uint8_t high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
        if (*text < low || *text > high) return false;
        text++;
        while (--more > 0)
            if ((*text++ & 0xC0) != 0x80) return false;
    }
    return true;
}

static void read_text(struct reader *reader) {
    uint32_t count = read_count(reader);
    const uint8_t *text = take(reader, count);
    if (!is_utf8(text, count)) fail("text is not UTF-8");
    copy(reader, text, count);
}

static bool read_flag(struct reader *reader) {
    uint8_t flag = *take(reader, 1);
    if (flag > 1) fail("flag");
    return flag == 1;
}

static void read_structs(struct reader *reader) {
    uint32_t count = read_count(reader);
    if (count > (size_t)(reader->end - reader->at)) fail("count");
    while (count-- > 0) {
        if (!read_flag(reader)) continue;
        uint32_t length = read_count(reader);
        const uint8_t *name = take(reader, length);
        if (length != 9 || memcmp(name, "TCustomer", 9) != 0) fail("class");
        copy(reader, take(reader, 4), 4);
        read_text(reader);
        read_text(reader);
        copy(reader, take(reader, 8), 8);
    }
}

static size_t decode(const uint8_t *bytes, size_t size, bool structs, uint8_t *out) {
    struct reader reader = {bytes, bytes + size, out};
    const uint8_t *header = take(&reader, 28);
    if (memcmp(header, "RO107\0\0", 7) != 0) fail("header");
    take(&reader, read_count(&reader));
    take(&reader, read_count(&reader));
    if (read_flag(&reader)) {
        if (structs) {
            read_structs(&reader);
        } else {
            uint32_t count = read_count(&reader);
            copy(&reader, take(&reader, count), count);
        }
    }
    if (reader.at != reader.end) fail("bytes left");
    return (size_t)(reader.out - out);
}

static int ascending(const void *left, const void *right) {
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return a < b ? -1 : a > b;
}

int main(int argc, char **argv) {
    if (argc != 4) fail("usage: decode_copy binary|structs FILE ROUNDS");
    size_t size;
    uint8_t *bytes = (uint8_t *)read_file(argv[2], &size);
    bool structs = strcmp(argv[1], "structs") == 0;
    size_t rounds = strtoul(argv[3], NULL, 10);
    uint8_t *out = malloc(2 * size + 64);
    int64_t *times = calloc(rounds, sizeof *times);
    if (rounds == 0 || out == NULL || times == NULL) fail("rounds");
    memset(out, 1, 2 * size + 64);
    size_t written = 0;
    for (size_t round = 0; round < rounds; round++) {
        int64_t start = nanoseconds();
        written += decode(bytes, size, structs, out);
        times[round] = nanoseconds() - start;
    }
    if (written == 0) fail("nothing decoded");
    qsort(times, rounds, sizeof *times, ascending);
    printf("{\"name\": \"copy %s\", \"p50\": %ld, \"bytes\": %zu}\n", argv[1], (long)times[rounds / 2], size);
    return 0;
}
