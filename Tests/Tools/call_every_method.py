#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Call every method of a Varlink service with the command line client of PyPI's varlink, and print the results.

    call_every_method.py ADDRESS

Lists, describes and calls methods like a user: it runs the client's own functions, in one process to save the time of
50 starts. No call has parameters or the flag more. Prints "METHOD reply" or "METHOD ERROR" for each. Any other result,
such as a connection that closes without a reply, exits with 1.
"""

import argparse
import ast
import contextlib
import io
import json
import sys

import varlink.cli
import varlink.scanner


def run(function, **arguments):
    """Runs a function of the client, and returns its output and its errors."""
    output, errors = io.StringIO(), io.StringIO()
    options = dict(activate=None, bridge=None, resolver=None, more=False, ARGUMENTS="")
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
        function(argparse.Namespace(**{**options, **arguments}))
    return output.getvalue(), errors.getvalue()


def methods(description):
    """The names of an interface's methods, according to the client's own parser."""
    members = varlink.scanner.Interface(description).members
    return [name for name, member in members.items() if isinstance(member, varlink.scanner._Method)]


def main(address):
    info, _ = run(varlink.cli.varlink_info, ADDRESS=address)
    for interface in info.partition("Interfaces:")[2].split():
        text, _ = run(varlink.cli.varlink_help, INTERFACE=f"{address}/{interface}")
        for method in methods(text):
            reply, error = run(varlink.cli.varlink_call, METHOD=f"{address}/{interface}.{method}")
            if error:
                # The client prints an error as a Python dictionary.
                outcome = ast.literal_eval(error)["error"]
            else:
                json.loads(reply)
                outcome = "reply"
            print(f"{interface}.{method} {outcome}")


if __name__ == "__main__":
    main(sys.argv[1])
