// SPDX-License-Identifier: Apache-2.0
//
// print_version: prints a line. The lower bound for the start of a program.
#include <stdio.h>

int main(void) { return puts("0.0.0") < 0; }
