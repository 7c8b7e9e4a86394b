#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""run_tests.py: runs all tests, one after the other, and lists the failures at the end.

Many tests check real daemons against real deadlines, which fail if the machine stops for a second. So a small number of
failed tests runs again, alone. A test that fails twice has failed, and one that succeeds then is listed anyway.
(docs/decisions/0028-a-second-run-for-a-failed-test.md)
"""

import os
import pathlib
import re
import signal
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

# A larger number of failures is not caused by the machine.
MOST_RUN_AGAIN = 5
# A run takes less than half of that.
MOST_SECONDS = 45 * 60
REPORT = pathlib.Path(".build/tests.xml")
# The file in which swift stores the report of Swift Testing.
RESULTS = REPORT.with_name("tests-swift-testing.xml")


def run(*options):
    """Returns the exit status, and for each test, as MODULE.SUITE/FUNCTION, whether it passed."""
    RESULTS.unlink(missing_ok=True)
    command = ["swift", "test", "--no-parallel", "--skip-build", "--xunit-output", REPORT, *options]
    tests = subprocess.Popen(command, start_new_session=True)
    try:
        status = tests.wait(MOST_SECONDS)
    except subprocess.TimeoutExpired:
        os.killpg(tests.pid, signal.SIGKILL)
        tell(f"no end after {MOST_SECONDS} seconds; the test that began last hangs", [])
        return 1, {}
    if not RESULTS.exists():
        return status, {}
    cases = ElementTree.parse(RESULTS).iter("testcase")
    return status, {f"{case.get('classname')}/{case.get('name')}": case.find("failure") is None for case in cases}


def tell(title, names):
    print(f"\n{title}:" if names else title)
    for name in names:
        print(f"  {name}")
    sys.stdout.flush()


def main():
    status, passed = run()
    failed = [name for name in passed if not passed[name]]
    if status == 0 and passed and not failed:
        return 0
    if not failed:
        tell("the tests did not run to their end", [])
        return 1
    tell("failed", failed)
    if len(failed) > MOST_RUN_AGAIN:
        return 1
    filters = [word for name in failed for word in ("--filter", f"^{re.escape(name)}(/|$)")]
    status, passed = run(*filters)
    again = [name for name in failed if not passed.get(name)]
    if status != 0 or again:
        tell("failed again", again)
        return 1
    tell("passed when they ran a second time, by themselves", failed)
    return 0


if __name__ == "__main__":
    sys.exit(main())
