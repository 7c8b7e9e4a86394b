/* SPDX-License-Identifier: Apache-2.0 */

/* strtod_l */
#define _GNU_SOURCE

#include "values.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

SQLITE_EXTENSION_INIT3

/* The most bytes of a Blob or text that are compared with the server's: a change of a row has 240 KiB. */
enum { LONGEST_EXPECTED = 16 << 10 };

static void append_base64(sqlite3_str *json, const uint8_t *bytes, size_t size);

/* The program may have a locale with another decimal point. */
double number_of(const char *text) { return strtod_l(text, NULL, newlocale(LC_ALL_MASK, "C", (locale_t)0)); }

/* The shortest text of at least 15 digits that stands for the number. */
static void append_real(sqlite3_str *json, double real, const struct field *field) {
    char text[40];
    int digits = 14;
    do {
        sqlite3_snprintf(sizeof text, text, "%!.*g", ++digits, real);
    } while (digits < 17 && number_of(text) != real);
    /* An amount of more digits is a result of binary arithmetic, unless it has at most the four decimals of a Currency. */
    const char *point = strchr(text, '.');
    bool is_amount = field != NULL && field->form == FORM_AMOUNT && real > -1e15 && real < 1e15;
    if (is_amount && digits > 15 && (strchr(text, 'e') != NULL || (point != NULL && strlen(point) > 5))) {
        sqlite3_snprintf(sizeof text, text, "%!.15g", real);
    }
    sqlite3_str_appendf(json, "\"%s\"", text);
}

/* Two to four digits. */
static char *put(char *out, int number, int digits) {
    for (int i = digits - 1; i >= 0; i--, number /= 10) out[i] = (char)('0' + number % 10);
    return out + digits;
}

/* The calendar is that of ISO 8601. */
bool time_text(int64_t milliseconds, char *text) {
    int64_t days = milliseconds / 86400000, rest = milliseconds % 86400000;
    if (rest < 0) {
        rest += 86400000;
        days--;
    }
    /* Days since 0000-03-01, in eras of 400 years. */
    days += 719468;
    int64_t era = (days >= 0 ? days : days - 146096) / 146097;
    int day_of_era = (int)(days - era * 146097);
    int year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    int day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    int shifted = (5 * day_of_year + 2) / 153;
    int month = shifted < 10 ? shifted + 3 : shifted - 9;
    int64_t year = year_of_era + era * 400 + (month <= 2);
    if (year < 1 || year > 9999) return false;
    char *out = put(text, (int)year, 4);
    *out++ = '-';
    out = put(out, month, 2);
    *out++ = '-';
    out = put(out, day_of_year - (153 * shifted + 2) / 5 + 1, 2);
    *out++ = 'T';
    out = put(out, (int)(rest / 3600000), 2);
    *out++ = ':';
    out = put(out, (int)(rest / 60000 % 60), 2);
    *out++ = ':';
    out = put(out, (int)(rest / 1000 % 60), 2);
    if (rest % 1000 != 0) {
        *out++ = '.';
        out = put(out, (int)(rest % 1000), 3);
    }
    *out = 0;
    return true;
}

bool json_append_cell(sqlite3_str *json, const struct arrow_column *column, int64_t row) {
    char text[48];
    if (arrow_is_null(column, row)) {
        sqlite3_str_appendall(json, "null");
        return true;
    }
    switch (column->kind) {
    case ARROW_BOOL: sqlite3_str_appendall(json, arrow_integer(column, row) != 0 ? "true" : "false"); return true;
    case ARROW_INT: sqlite3_str_appendf(json, "\"%lld\"", arrow_integer(column, row)); return true;
    case ARROW_UINT: sqlite3_str_appendf(json, "\"%llu\"", arrow_integer(column, row)); return true;
    case ARROW_FLOAT: {
        double value = arrow_double(column, row);
        if (value != value) return false;
        if (value - value != 0) {
            sqlite3_str_appendall(json, value > 0 ? "\"inf\"" : "\"-inf\"");
        } else {
            append_real(json, value, NULL);
        }
        return true;
    }
    case ARROW_TIMESTAMP:
        if (!time_text(arrow_integer(column, row), text)) return false;
        sqlite3_str_appendf(json, "\"%s\"", text);
        return true;
    case ARROW_DECIMAL:
        arrow_decimal(column, row, text);
        sqlite3_str_appendf(json, "\"%s\"", text);
        return true;
    case ARROW_TEXT: {
        const uint8_t *bytes;
        uint64_t size;
        if (!arrow_bytes(column, row, &bytes, &size) || size > LONGEST_EXPECTED) return false;
        json_append_bytes(json, (const char *)bytes, size);
        return true;
    }
    case ARROW_BLOB: {
        const uint8_t *bytes;
        uint64_t size;
        if (!arrow_bytes(column, row, &bytes, &size) || size > LONGEST_EXPECTED) return false;
        append_base64(json, bytes, size);
        return true;
    }
    }
    return false;
}

static void append_base64(sqlite3_str *json, const uint8_t *bytes, size_t size) {
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    sqlite3_str_appendchar(json, 1, '"');
    for (size_t i = 0; i < size; i += 3) {
        uint32_t group = (uint32_t)bytes[i] << 16;
        if (i + 1 < size) group |= (uint32_t)bytes[i + 1] << 8;
        if (i + 2 < size) group |= bytes[i + 2];
        char text[4] = {
            letters[group >> 18], letters[group >> 12 & 63], i + 1 < size ? letters[group >> 6 & 63] : '=',
            i + 2 < size ? letters[group & 63] : '=',
        };
        sqlite3_str_append(json, text, 4);
    }
    sqlite3_str_appendchar(json, 1, '"');
}

bool json_append_value(sqlite3_str *json, const struct field *field, sqlite3_value *value) {
    int type = sqlite3_value_type(value);
    if (type == SQLITE_NULL) {
        sqlite3_str_appendall(json, "null");
    } else if (field->form == FORM_BLOB) {
        if (type != SQLITE_BLOB && type != SQLITE_TEXT) return false;
        const uint8_t *bytes = sqlite3_value_blob(value);
        append_base64(json, bytes, (size_t)sqlite3_value_bytes(value));
    } else if (type == SQLITE_BLOB) {
        return false;
    } else if (type == SQLITE_TEXT) {
        const char *text = (const char *)sqlite3_value_text(value);
        json_append_bytes(json, text, (size_t)sqlite3_value_bytes(value));
    } else if (type == SQLITE_INTEGER && field->is_boolean) {
        sqlite3_int64 number = sqlite3_value_int64(value);
        if (number != 0 && number != 1) return false;
        sqlite3_str_appendall(json, number != 0 ? "true" : "false");
    } else if (type == SQLITE_INTEGER) {
        sqlite3_str_appendf(json, "\"%lld\"", sqlite3_value_int64(value));
    } else {
        double real = sqlite3_value_double(value);
        bool is_whole = real > -1e15 && real < 1e15 && real == (double)(sqlite3_int64)real;
        if (is_whole && (field->form == FORM_INTEGER || field->form == FORM_AMOUNT || field->form == FORM_DATE)) {
            sqlite3_str_appendf(json, "\"%lld\"", (sqlite3_int64)real);
        } else if (field->form == FORM_TEXT) {
            json_append_bytes(json, (const char *)sqlite3_value_text(value), (size_t)sqlite3_value_bytes(value));
        } else {
            append_real(json, real, field);
        }
    }
    return true;
}

void append_printable(sqlite3_str *text, const char *untrusted) {
    const unsigned char *in = (const unsigned char *)untrusted;
    while (*in != 0) {
        unsigned code = 0;
        int size = 1;
        if (*in < 0x20 || *in == 0x7f) {
            code = *in;
        } else if (*in == 0xc2 && in[1] >= 0x80 && in[1] < 0xa0) {
            code = in[1];
            size = 2;
        } else if (*in == 0xe2 && (in[1] == 0x80 || in[1] == 0x81) && in[2] != 0) {
            unsigned point = 0x2000u | (in[1] & 0x3fu) << 6 | (in[2] & 0x3fu);
            bool is_direction = point == 0x200e || point == 0x200f || (point >= 0x2028 && point <= 0x202e)
                || (point >= 0x2066 && point <= 0x2069);
            if (is_direction) {
                code = point;
                size = 3;
            }
        }
        if (code != 0) {
            sqlite3_str_appendf(text, "<U+%02X>", code);
        } else {
            sqlite3_str_append(text, (const char *)in, size);
        }
        in += size;
    }
}
