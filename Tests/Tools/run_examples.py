# SPDX-License-Identifier: Apache-2.0
"""run_examples.py DOCUMENT: does what the blocks of a Markdown file show, in one shell, and compares what is printed.

It types the commands of a block `console`, with what follows a prompt `sqlite> ` as their input, runs a block `python`, whose
output is the block `text` right after it, and writes a block `ini` to the file that its first line names. In an output `…`
is any text. A table whose second column is headed "Tested with" names the versions of Python's packages here.

Runs in `relctl sandbox --servers 2`, whose servers get the names `office` and `branch`, with logins of `jane`. PYTHONS names
the folders with the programs of several environments, the first of which runs the blocks.
"""

import os
import pathlib
import re
import subprocess
import sys

MARK = "-- end of a step --"
PACKAGES = ["duckdb", "pandas", "polars", "sqlalchemy", "datasette", "sqlite-utils", "harlequin", "mcp"]
START = f"""
exec 2>&1
{{ relctl rename sample office && relctl rename sample2 branch && relctl login rename sample jane@office &&
    relctl login rename sample2 jane@branch; }} >start 2>&1 || {{ cat start; exit 1; }}
unset RELATIVITYD_LOGIN
"""


def steps(text: str) -> list[tuple[str, list[str]]]:
    """The commands of the shell, each with the lines that it prints."""
    found: list[tuple[str, list[str]]] = []
    end = 0
    for block in re.finditer(r"^```(\w*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        language, lines = block[1], block[2].splitlines()
        if language == "python":
            found.append((f"python3 - <<'{MARK}'\n{block[2]}{MARK}", []))
        elif language == "ini":
            found.append((f"cat >{lines[0].removeprefix('# ')} <<'{MARK}'\n{block[2]}{MARK}", []))
        elif language == "text" and found and not text[end : block.start()].strip():
            found[-1][1].extend(lines)
        elif language == "console":
            for command in re.split(r"^\$ ", block[2], flags=re.MULTILINE)[1:]:
                first, *rest = command.splitlines()
                typed = [line.removeprefix("sqlite> ") for line in rest if line.startswith("sqlite> ")]
                if typed:
                    first += "\n".join([f" <<'{MARK}'", *typed, MARK])
                found.append((first, [line for line in rest if not line.startswith("sqlite> ")]))
        else:
            sys.exit(f"run_examples.py: nothing runs a block of the language '{language}'")
        end = block.end()
    return found


def versions(text: str) -> int:
    """Compares the versions in the table with those of the environments. Returns the number of failures."""
    program = (
        "import importlib.metadata as m, sys\n"
        "for name in sys.argv[1:]:\n"
        "    try: print(name, m.version(name))\n"
        "    except m.PackageNotFoundError: pass"
    )
    installed: dict[str, str] = {}
    for folder in os.environ["PYTHONS"].split(":"):
        run = subprocess.run([f"{folder}/python3", "-c", program, *PACKAGES], check=True, capture_output=True, text=True)
        for name, version in (line.split() for line in run.stdout.splitlines()):
            installed.setdefault(name, version)
    failed = 0
    rows = [row for row in text.splitlines() if row.startswith("| [")]
    for name in PACKAGES:
        print(f"{name} {installed[name]}")
        row = next((row for row in rows if name in row.split("|")[1].lower()), "")
        if installed[name] not in re.split(r"[ ,|]+", row):
            print(f"FAILED   the table does not have this version: {row!r}")
            failed += 1
    return failed


def main() -> None:
    text = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")
    wanted = steps(text)
    script = START + "".join(f"{command}\necho '{MARK}'\n" for command, _ in wanted)
    run = subprocess.run(["bash", "-c", script], stdin=subprocess.DEVNULL, capture_output=True, text=True, cwd=os.environ["HOME"], timeout=300)
    printed = run.stdout.split(f"{MARK}\n")
    failed = versions(text)
    if len(printed) != len(wanted) + 1:
        print(f"FAILED   the shell ended: {printed[-1]}")
        failed += 1
    for (command, lines), output in zip(wanted, printed):
        expected = [line for line in lines if line]
        found = [line for line in output.splitlines() if line]
        patterns = [re.compile(".*".join(map(re.escape, line.split("…")))) for line in expected]
        if len(found) != len(expected) or not all(each.fullmatch(line) for each, line in zip(patterns, found)):
            print("FAILED  ", command, "expected:", *expected, "found:", *found, sep="\n")
            failed += 1
    print(f"{len(wanted)} steps, {failed} failed")
    sys.exit(1 if failed or len(wanted) < 15 else 0)


main()
