#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""python-tree.py DIRECTORY: copies the package in python/ into DIRECTORY, with the metadata that programs ask Python for:
its version and its entry points. A wheel has them too, but the build backend of Debian 12 is too old for pyproject.toml.
"""

import pathlib
import re
import shutil
import sys
import tomllib

root = pathlib.Path(__file__).resolve().parent.parent / "python"
target = pathlib.Path(sys.argv[1])
project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
name, modules = project["name"], root / "src" / project["name"]
version = re.search(r'^__version__ = "(.+)"$', (modules / "__init__.py").read_text(), re.MULTILINE)[1]

shutil.copytree(modules, target / name, ignore=shutil.ignore_patterns("__pycache__"))
metadata = {"Metadata-Version": "2.1", "Name": name, "Version": version, "Summary": project["description"]}
information = target / f"{name}-{version}.dist-info"
information.mkdir()
(information / "METADATA").write_text("".join(f"{key}: {value}\n" for key, value in metadata.items()))
(information / "entry_points.txt").write_text(
    "\n".join(
        f"[{group}]\n" + "".join(f"{entry} = {place}\n" for entry, place in entries.items())
        for group, entries in project["entry-points"].items()
    )
)
