#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""run_tests.py [PATTERN]: runs the tests that `swift build --build-tests` has built, and lists the failures at the end:
all but the unit tests, which unit.sh runs, or those of the suites, as MODULE.SUITE, that a regular expression matches.

Most tests wait for real daemons more than they compute. So the suites run side by side, as many as there are cores
(RELATIVITYD_TEST_RUNS sets another number), each in a network of its own with an own runtime directory. Those of
MEASURING compare times, so they run one after the other at the end.

Many tests check real daemons against real deadlines, which fail if the machine stops for a second. So a small number of
failed tests runs again, alone. A test that fails twice has failed, and one that succeeds then is listed anyway.
(docs/decisions/0028-a-second-run-for-a-failed-test.md)
"""

import concurrent.futures
import ctypes
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

RUNS = int(os.environ.get("RELATIVITYD_TEST_RUNS", os.cpu_count()))
# A larger number of failures is not caused by the machine.
MOST_RUN_AGAIN = 5
# The longest run takes less than half of that.
MOST_SECONDS = 20 * 60
# Suites of the other modules are short, and share a run.
MODULES_OF_LONG_SUITES = {"SystemTests", "CrashTests", "BrokerTests", "DataAccessTests", "DiscoveryTests"}
MODULES_WITHOUT_UNIT_TESTS = {"SystemTests", "CrashTests", "SampleServerTests"}
SUITES_OF_A_RUN = 12
SLOWEST_SHOWN = 20
# The declaration of a type, which may be a suite.
TYPE = re.compile(r"^(?:[\w@]+ )*(?:struct|class|actor|enum|extension) (\w+)", re.MULTILINE)
MEASURING = re.compile(r"\.(TimingTests|BackPressureTests|FloodTests|SocketFloodTests|FullCacheTests|AvahiTroubleTests)$")
ROOT = pathlib.Path(__file__).resolve().parents[2]


def run(built, filters):
    """Runs the tests that a filter matches.

    Returns the output, and for each test, as MODULE.SUITE/FUNCTION, whether it passed and its seconds; None if the run did
    not end as it should.
    """
    with tempfile.TemporaryDirectory() as directory:
        report = pathlib.Path(directory, "report.xml")
        command = [ROOT / "Tests/Tools/alone.sh", built, "--testing-library", "swift-testing", "--no-parallel"]
        command += ["--xunit-output", report]
        for text in filters:
            command += ["--filter", text]
        tests = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=os.environ | {"XDG_RUNTIME_DIR": directory},
            start_new_session=True,
            preexec_fn=begin,
        )
        try:
            output = tests.communicate(timeout=MOST_SECONDS)[0].decode(errors="replace")
        except subprocess.TimeoutExpired:
            os.killpg(tests.pid, signal.SIGKILL)
            output = tests.communicate()[0].decode(errors="replace")
            return f"{output}\nno end after {MOST_SECONDS} seconds; the test that began last hangs\n", None
        if not report.exists():
            return f"{output}\nthe tests did not run to their end: status {tests.returncode}\n", None
        results = {}
        for case in ElementTree.parse(report).iter("testcase"):
            name = f"{case.get('classname')}/{case.get('name')}"
            results[name] = (case.find("failure") is None, float(case.get("time", 0)))
        if tests.returncode != 0 and all(passed for passed, _ in results.values()):
            return f"{output}\nno test failed, but the status is {tests.returncode}\n", None
        return output, results


def begin():
    """Ends a run whose runner is killed. Takes SIGINT again, which a shell has its background commands ignore."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    PR_SET_PDEATHSIG = 1
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def runs_of(suites):
    """Divides the suites into runs, those that take long first. Returns the filters of each."""
    long, short = [], []
    for suite in suites:
        (long if suite.split(".")[0] in MODULES_OF_LONG_SUITES else short).append(suite)
    order = {"SystemTests": 0, "CrashTests": 1}
    long.sort(key=lambda suite: order.get(suite.split(".")[0], 2))
    groups = [[suite] for suite in long]
    groups += [short[start : start + SUITES_OF_A_RUN] for start in range(0, len(short), SUITES_OF_A_RUN)]
    return [[f"^{re.escape(suite)}(/|$)" for suite in group] for group in groups]


def unit_suites():
    """Returns the suites, as MODULE.SUITE, that exist without RELATIVITYD_SYSTEM_TESTS (Package.swift)."""
    unit, system = set(), set()
    for file in ROOT.glob("Tests/*/**/*.swift"):
        module, *folders = file.relative_to(ROOT / "Tests").parts
        names = system if "System" in folders or module in MODULES_WITHOUT_UNIT_TESTS else unit
        names.update(f"{module}.{name}" for name in TYPE.findall(file.read_text()))
    return unit - system


def tell(title, names=()):
    print(f"\n{title}:" if names else title)
    for name in names:
        print(f"  {name}")
    sys.stdout.flush()


def main():
    path = subprocess.run(["swift", "build", "--show-bin-path"], check=True, stdout=subprocess.PIPE, text=True).stdout
    built = pathlib.Path(path.strip(), "relativitydPackageTests.xctest")
    listing = [built, "--testing-library", "swift-testing", "--list-tests"]
    tests = subprocess.run(listing, check=True, stdout=subprocess.PIPE, text=True).stdout.split("\n")
    suites = {test.split("/")[0] for test in tests if test}
    wanted = re.compile(sys.argv[1] if len(sys.argv) > 1 else "")
    left_out = unit_suites() if len(sys.argv) == 1 else set()
    suites = sorted(suite for suite in suites - left_out if wanted.search(suite))
    measuring = [suite for suite in suites if MEASURING.search(suite)]

    results, isWhole = {}, True

    def take(outcome):
        nonlocal isWhole
        output, passed = outcome
        sys.stdout.write(output)
        sys.stdout.flush()
        results.update(passed or {})
        isWhole = isWhole and passed is not None

    with concurrent.futures.ThreadPoolExecutor(RUNS) as pool:
        begun = [pool.submit(run, built, filters) for filters in runs_of([s for s in suites if s not in measuring])]
        for each in concurrent.futures.as_completed(begun):
            take(each.result())
    for filters in runs_of(measuring):
        take(run(built, filters))

    slowest = sorted(results, key=lambda name: -results[name][1])[:SLOWEST_SHOWN]
    tell("the slowest", [f"{results[name][1]:6.1f} s  {name}" for name in slowest])
    tell(f"{len(results)} tests of {len(suites)} suites ran")
    failed = [name for name in results if not results[name][0]]
    if not isWhole or len(results) == 0:
        tell("some tests did not run to their end")
        return 1
    if not failed:
        return 0
    tell("failed", failed)
    if len(failed) > MOST_RUN_AGAIN:
        return 1
    output, passed = run(built, [f"^{re.escape(name)}(/|$)" for name in failed])
    print(output)
    again = [name for name in failed if not (passed or {}).get(name, (False, 0))[0]]
    if again:
        tell("failed again", again)
        return 1
    tell("passed when they ran a second time, by themselves", failed)
    return 0


if __name__ == "__main__":
    sys.exit(main())
