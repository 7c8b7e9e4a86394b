// SPDX-License-Identifier: Apache-2.0
//
// print_list SOCKET OUTPUT-FILE: the lower bound for `relctl list`. Connects to the daemon, requests the list, reads
// the reply, and prints the bytes of OUTPUT-FILE, which contains the output of `relctl list`. So it behaves like a
// program that formats the list at no cost.
#include "peer.h"

int main(int count, char **arguments) {
    static const char request[] = "{\"method\":\"org.relativityd.Registry.List\",\"parameters\":{}}";
    if (count < 3) return 64;
    int peer = connect_to(arguments[1]);
    write_all(peer, request, sizeof request);
    read_to_nul(peer);
    size_t size;
    char *output = read_file(arguments[2], &size);
    write_all(STDOUT_FILENO, output, size);
    return 0;
}
