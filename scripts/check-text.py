#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Check the rules for files and prose that no compiler knows, and print each place that breaks one.

    scripts/check-text.py

- A source file has its licence at the top and at most 500 lines.
- No file contains a path of the machine on which it was written.
- Links in documents, and documents that the code names, lead to a file and to a heading in it.
- Comments avoid the words below; CONTRIBUTING.md says which others to use.
- A number before a noun in a text is a `Counted`, so that no text has "1 logins".
"""

import pathlib
import re
import subprocess
import sys
from collections.abc import Iterator

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCES = ("Sources/", "Tests/", "scripts/", "Benchmarks/", "python/")
LONGEST = 500
AVOIDED = """
    tell, tells, told, telling, whoever, nobody, somebody, a person, stranger, strangers, foreign, room, put out,
    puts out, heard, hears, laid down, lays down, anew, once more, hurry, goes out, go out, went out, gone out,
    let go of, lets go of, gives back, give back, given back, vouch, vouches, vouched, leads nowhere, lead nowhere,
    in the place of, takes the place of, at once, by itself, for good, all the same, for want of, beside, behind,
    no more, any more, ours
"""
NOUNS = """
    adapter attempt byte call change day endpoint event fault file grant hour key line login minute note password record
    second server service session slot step time word
""".split()
# Limits and sizes, which are always more than one.
PLURAL = re.compile("[lL]imit|[mM]aximum|most|Bytes|[bB]yteCount")

MACHINE_PATH = re.compile(
    r"""(?:^|[\s"'(=:`])/(?:root|work|workspace|build|Users|home/(?!tester\b|x\b|\.|\$|"|`|,|\s)\w+)/"""
)
COUNTED = re.compile(r"\\\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\) (\w+)s\b")
WORDS = re.compile(" (?:" + "|".join(" ".join(word.split()) for word in AVOIDED.split(",")) + ") ")


def texts() -> Iterator[tuple[str, list[str]]]:
    """The lines of each text file that is or could be committed."""
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True, check=True
    )
    for name in listing.stdout.decode().split("\0"):
        path = ROOT / name
        if name and path.is_file() and not path.is_symlink():
            yield name, path.read_text(errors="replace").split("\n")


def source_problems(path: str, lines: list[str]) -> Iterator[str]:
    if path.endswith((".swift", ".c", ".cpp", ".sh")) and "/Generated/" not in path and len(lines) > LONGEST + 1:
        yield f"{path}: longer than {LONGEST} lines"
    if path.endswith((".swift", ".c", ".cpp", ".h", ".sh", ".py")):
        if not any("SPDX-License-Identifier: Apache-2.0" in line for line in lines[:3]):
            yield f"{path}: no licence at the top"


def prose_problems(path: str, lines: list[str]) -> Iterator[str]:
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if text.startswith("//"):
            # Text in backquotes is code.
            prose = " ".join(text.lower().split("`")[::2])
            found = WORDS.search(" " + " ".join(re.findall(r"[a-z']+", prose)) + " ")
            if found:
                yield f"{path}:{number}: '{found[0].strip()}'"
        elif not path.startswith("Sources/Relativity/SampleServer"):
            for value, noun in COUNTED.findall(line):
                if noun in NOUNS and not PLURAL.search(value):
                    yield f"{path}:{number}: a plain number before '{noun}s'"


def headings(path: str, cache: dict[str, list[str]] = {}) -> list[str]:
    if path not in cache:
        lines = (ROOT / path).read_text(errors="replace").split("\n")
        cache[path] = [line.lstrip("# ") for line in lines if line.startswith("#")]
    return cache[path]


def anchor(heading: str) -> str:
    """The anchor that GitHub generates: lower case, without punctuation, with hyphens for spaces."""
    return "".join(c for c in heading.lower() if c.isalpha() or c.isnumeric() or c in " -_").replace(" ", "-")


def link_problems(path: str, text: str) -> Iterator[str]:
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if "://" in link:
            continue
        name, _, fragment = link.partition("#")
        target = (ROOT / path).parent.joinpath(name).resolve() if name else ROOT / path
        if not target.exists():
            yield f"{path}: links to {link}"
        elif fragment and fragment not in map(anchor, headings(str(target.relative_to(ROOT)))):
            yield f"{path}: links to {link}"


def reference_problems(path: str, text: str) -> Iterator[str]:
    for document, section in re.findall(r'(docs/[a-z-]+\.md)(?:, "([^"]+)")?', text):
        if not (ROOT / document).exists() or section and section not in headings(document):
            yield f"{path}: names {document} {section}"


def problems() -> Iterator[str]:
    for path, lines in texts():
        for number, line in enumerate(lines, 1):
            if len(line) < 2000 and MACHINE_PATH.search(line):
                yield f"{path}:{number}: a path of one machine"
        if path.endswith(".md"):
            yield from link_problems(path, "\n".join(lines))
        if path.startswith(SOURCES):
            yield from source_problems(path, lines)
            yield from reference_problems(path, "\n".join(lines))
        if path.startswith("Sources/") and path.endswith(".swift") and "/Generated/" not in path:
            yield from prose_problems(path, lines)


found = list(problems())
print("\n".join(found), end="\n" if found else "")
sys.exit(1 if found else 0)
