// SPDX-License-Identifier: Apache-2.0
//
// table_scan FILE ROUNDS: reads a stream of one table that table-probe wrote, checks every count and size, and adds up
// the same checksum of all cells. It makes no values. This is the minimum work of any decoder.
#include "peer.h"

enum { COLUMNS = 4096 };

struct stream {
    const uint8_t *start, *at, *end;
    uint64_t rows, checksum;
};

static const uint8_t *take(struct stream *stream, size_t count) {
    if ((size_t)(stream->end - stream->at) < count) fail("stream cut short");
    const uint8_t *start = stream->at;
    stream->at += count;
    return start;
}

static int32_t read_int(struct stream *stream) {
    int32_t value;
    memcpy(&value, take(stream, 4), 4);
    return value;
}

static uint32_t read_count(struct stream *stream) {
    int32_t count = read_int(stream);
    if (count < 0) fail("negative count");
    return (uint32_t)count;
}

static void skip_text(struct stream *stream) {
    int32_t count = read_int(stream);
    if (count < -1) fail("negative count");
    if (count > 0) take(stream, (size_t)count);
}

static void skip_entries(struct stream *stream) {
    uint32_t entries = read_count(stream), properties = read_count(stream);
    for (uint64_t rest = 2 * (uint64_t)entries * properties; rest > 0; rest--) skip_text(stream);
}

// The size of a cell; 0 for one with a count, -1 for one whose count is even.
static int size_of(uint8_t type) {
    switch (type) {
    case 8: case 14: case 15: return 1;
    case 16: case 17: return 2;
    case 5: case 6: case 18: case 23: return 4;
    case 2: case 3: case 4: case 7: case 13: case 19: return 8;
    case 1: case 9: case 10: case 24: case 26: return 0;
    case 11: case 12: case 21: case 25: return -1;
    default: fail("type of a column");
    }
}

// The checksum of a text is its number of bytes in UTF-8.
static uint64_t text_size(const uint8_t *bytes, uint32_t count, int size) {
    uint64_t sum = 0;
    if (size == 0) {
        for (uint32_t index = 0; index < count; index++) sum += bytes[index] < 0x80 ? 1 : 2;
        return sum;
    }
    if (count % 2 != 0) fail("odd number of bytes of UTF-16");
    for (uint32_t index = 0; index < count; index += 2) {
        unsigned unit = bytes[index] | bytes[index + 1] << 8;
        // Each half of a pair counts for two.
        sum += unit < 0x80 ? 1 : unit < 0x800 || (unit >= 0xD800 && unit < 0xE000) ? 2 : 3;
    }
    return sum;
}

static uint64_t number(const uint8_t *bytes, int size) {
    int64_t value = 0;
    int32_t word;
    int16_t half;
    switch (size) {
    case 1: return bytes[0] != 0;
    case 2: memcpy(&half, bytes, 2); return (uint64_t)half;
    case 4: memcpy(&word, bytes, 4); return (uint64_t)word;
    default: memcpy(&value, bytes, 8); return (uint64_t)value;
    }
}

static void read_rows(struct stream *stream, uint32_t rows, uint32_t columns, const int *sizes) {
    for (uint32_t row = 0; row < rows; row++) {
        const uint8_t *mask = take(stream, (columns + 7) / 8);
        for (uint32_t column = 0; column < columns; column++) {
            if (mask[column / 8] >> column % 8 & 1) {
                stream->checksum += 1;
            } else if (sizes[column] > 0) {
                stream->checksum += number(take(stream, (size_t)sizes[column]), sizes[column]);
            } else {
                uint32_t count = read_count(stream);
                stream->checksum += text_size(take(stream, count), count, sizes[column]);
            }
        }
    }
    stream->rows += rows;
}

static void scan(struct stream *stream) {
    static int sizes[COLUMNS];
    if (memcmp(take(stream, 8), "DABIN200", 8) != 0) fail("signature");
    int32_t place = read_int(stream);
    uint8_t schema = *take(stream, 1);
    if (schema > 1) fail("flag");
    read_int(stream);
    if (schema == 1) {
        skip_entries(stream);
        skip_entries(stream);
    }
    uint32_t rows = read_count(stream), columns = read_count(stream);
    if (columns > COLUMNS) fail("columns");
    for (uint32_t column = 0; column < columns; column++) {
        skip_text(stream);
        sizes[column] = size_of(*take(stream, 1));
        read_int(stream);
    }
    read_rows(stream, rows, columns, sizes);
    if (stream->at - stream->start != place || read_count(stream) != 1 || read_int(stream) != 0) fail("directory");
    skip_text(stream);
    read_int(stream);
    if (stream->at != stream->end) fail("bytes left");
}

int main(int argc, char **argv) {
    if (argc != 3) fail("usage: table_scan FILE ROUNDS");
    size_t size;
    uint8_t *bytes = (uint8_t *)read_file(argv[1], &size);
    size_t rounds = strtoul(argv[2], NULL, 10);
    int64_t *times = calloc(rounds, sizeof *times);
    if (rounds == 0 || times == NULL) fail("rounds");
    struct stream stream = {0};
    for (size_t round = 0; round < rounds; round++) {
        stream = (struct stream){bytes, bytes, bytes + size, 0, 0};
        int64_t start = nanoseconds();
        scan(&stream);
        times[round] = nanoseconds() - start;
    }
    qsort(times, rounds, sizeof *times, compare_times);
    printf("{\"name\": \"scan table\", \"p50\": %lld, \"bytes\": %zu, \"rows\": %llu, \"checksum\": %llu}\n",
           (long long)times[rounds / 2], size, (unsigned long long)stream.rows, (unsigned long long)stream.checksum);
    return 0;
}
