/* SPDX-License-Identifier: Apache-2.0 */

#ifndef RELATIVITY_VALUES_H
#define RELATIVITY_VALUES_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Writes milliseconds since 1970 as YYYY-MM-DDTHH:MM:SS, with milliseconds if there are any, and a NUL.
 * text: at least 24 bytes. Returns false if the year is not one of 1 to 9999.
 */
bool time_text(int64_t milliseconds, char *text);

#endif
