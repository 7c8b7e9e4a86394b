#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_links.py DIRECTORY: exits with 0 if each relative link and anchor of the Markdown files in it has a target."""

import re
import sys
from pathlib import Path


def anchors(text: str) -> set[str]:
    """The anchors of the headings, as Git hosts make them."""
    text = re.sub(r"```.*?```", "", text, flags=re.S)
    found: dict[str, int] = {}
    for heading in re.findall(r"^#{1,6} (.+)$", text, re.M):
        plain = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).lower()
        anchor = re.sub(r"[^\w\- ]", "", plain).strip().replace(" ", "-")
        found[anchor] = found.get(anchor, -1) + 1
    return {anchor + (f"-{number}" if number else "") for anchor, last in found.items() for number in range(last + 1)}


root = Path(sys.argv[1])
files = sorted(root.rglob("*.md"))
faults, links = [], 0
for file in files:
    text = re.sub(r"```.*?```", "", file.read_text(), flags=re.S)
    for target, anchor in re.findall(r"\]\(([^)#\s]*)(#[^)\s]*)?\)", text):
        if "://" in target or target.startswith("mailto:"):
            continue
        links += 1
        path = (file.parent / target) if target else file
        if not path.exists() and not path.is_symlink():
            faults.append(f"{file.relative_to(root)}: {target} does not exist")
        elif anchor and path.suffix == ".md" and anchor[1:] not in anchors(path.read_text()):
            faults.append(f"{file.relative_to(root)}: {target}{anchor} has no such heading")
print("\n".join(faults) or f"{links} links in {len(files)} files")
sys.exit(1 if faults or not links else 0)
