/* SPDX-License-Identifier: Apache-2.0 */

#include "values.h"

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
