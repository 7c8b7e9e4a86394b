#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_sbom.py FILE TEXT...: exits with 0 if FILE is valid CycloneDX 1.6, for cyclonedx-python-lib, and each TEXT
names each of its libraries."""

import json
import sys
from pathlib import Path

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

document = Path(sys.argv[1]).read_text()
faults = [str(fault) for fault in [JsonStrictValidator(SchemaVersion.V1_6).validate_str(document)] if fault]
components = json.loads(document)["components"]
names = [component["name"] for component in components if component["type"] == "library"]
for path in sys.argv[2:]:
    text = Path(path).read_text()
    faults += [f"{path} does not name {name}" for name in names if name not in text]
if not {"swift-nio", "BoringSSL", "libssl3", "libavahi-client3"} <= set(names):
    faults.append("the list of components is not complete")
for fault in faults:
    print(fault, file=sys.stderr)
sys.exit(1 if faults else 0)
