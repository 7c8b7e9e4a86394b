#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""sbom.py FILE PROGRAM...: writes a software bill of materials of the release programs, CycloneDX 1.6 as JSON.

It lists what the linker was given: the Swift modules from the linker's list of object files, the shared libraries from
the programs themselves. A module or library that the tables below do not name is an error, so that a new dependency is
noticed. The output has no time and depends on the inputs only.
"""

import hashlib
import json
import re
import subprocess
import sys
import uuid
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / ".build/release"
CHECKOUTS = ROOT / ".build/checkouts"

SWIFT_PACKAGES = {
    "swift-argument-parser": ("Swift Argument Parser", "Apache-2.0 WITH Swift-exception"),
    "swift-atomics": ("Swift Atomics", "Apache-2.0 WITH Swift-exception"),
    "swift-collections": ("Swift Collections", "Apache-2.0 WITH Swift-exception"),
    "swift-log": ("SwiftLog", "Apache-2.0"),
    "swift-nio": ("SwiftNIO", "Apache-2.0"),
    "swift-nio-ssl": ("SwiftNIO SSL", "Apache-2.0"),
    "swift-system": ("Swift System", "Apache-2.0 WITH Swift-exception"),
}
# By the source package of Debian.
DEBIAN_SOURCES = {
    "avahi": "LGPL-2.1-or-later",
    "dbus": "AFL-2.1 OR GPL-2.0-or-later",
    "expat": "MIT",
    "gcc-12": "GPL-3.0-or-later WITH GCC-exception-3.1",
    "glib2.0": "LGPL-2.1-or-later",
    "glibc": "LGPL-2.1-or-later",
    "libsecret": "LGPL-2.1-or-later",
    "openssl": "Apache-2.0",
    "sqlite3": "blessing",
    "tomlplusplus": "MIT",
    "zlib": "Zlib",
}

Component = dict[str, object]


def output(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def licensed(expression: str) -> list[dict[str, object]]:
    return [{"expression": expression}]


def project_version() -> str:
    text = (ROOT / "Sources/Base/Platform/Versions/ProjectVersion.swift").read_text()
    found = re.search(r'text = "([^"]+)"', text)
    assert found, "ProjectVersion.swift has no version"
    return found.group(1)


def linked_modules(program: str) -> set[str]:
    """The modules whose object files the linker was given."""
    listed = (BUILD / f"{program}.product/Objects.LinkFileList").read_text()
    return set(re.findall(r"/([^/\n]+)\.build/", listed))


def package_of_module() -> dict[str, str]:
    """The package of each module, or the empty text for a module of this project."""
    modules = {path.name.replace("-", "_"): "" for path in (ROOT / "Sources").glob("*/*") if path.is_dir()}
    for package in SWIFT_PACKAGES:
        manifest = (CHECKOUTS / package / "Package.swift").read_text()
        sources = [path.name for path in (CHECKOUTS / package / "Sources").glob("*") if path.is_dir()]
        for name in re.findall(r'name: "(\w+)"', manifest) + sources:
            modules.setdefault(name, package)
    return modules


def swift_component(package: str, versions: dict[str, str]) -> Component:
    name, expression = SWIFT_PACKAGES[package]
    purl = f"pkg:swift/github.com/apple/{package}@{versions[package]}"
    return {
        "type": "library", "bom-ref": purl, "name": package, "version": versions[package], "description": name,
        "licenses": licensed(expression), "purl": purl,
    }


def vendored_components() -> dict[str, list[Component]]:
    """The parts that packages contain as a copy, by package."""
    ssl = CHECKOUTS / "swift-nio-ssl/Sources/CNIOBoringSSL"
    revision = re.search(r"[0-9a-f]{40}", (ssl / "hash.txt").read_text())
    assert revision, "hash.txt names no revision"
    header = (CHECKOUTS / "swift-nio/Sources/CNIOLLHTTP/include/c_nio_llhttp.h").read_text()
    numbers = [re.search(rf"LLHTTP_VERSION_{part} (\d+)", header) for part in ("MAJOR", "MINOR", "PATCH")]
    llhttp = ".".join(number.group(1) for number in numbers if number)
    boring = f"pkg:github/google/boringssl@{revision.group()}"
    return {
        "swift-nio-ssl": [
            {
                "type": "library", "bom-ref": boring, "name": "BoringSSL", "version": revision.group(),
                "licenses": licensed("Apache-2.0"), "purl": boring,
            },
            {
                "type": "library", "bom-ref": f"fiat-crypto in {boring}", "name": "fiat-crypto",
                "licenses": licensed("MIT OR Apache-2.0 OR BSD-1-Clause"),
            },
        ],
        "swift-nio": [
            {
                "type": "library", "bom-ref": f"pkg:github/nodejs/llhttp@v{llhttp}", "name": "llhttp",
                "version": llhttp, "licenses": licensed("MIT"), "purl": f"pkg:github/nodejs/llhttp@v{llhttp}",
            },
        ],
    }


def toolchain_components(program: str) -> list[Component]:
    """The libraries of the Swift toolchain that are linked in, which the linker finds by itself."""
    found = re.search(r"Swift version (\d[\d.]*)", output("swift", "--version"))
    assert found, "swift --version prints no version"
    symbols = output("nm", str(BUILD / program))
    names = ["swift"]
    if re.search(r" [tT] dispatch_async$", symbols, re.M):
        names.append("swift-corelibs-libdispatch")
    if "20FoundationEssentials" in symbols:
        names.append("swift-foundation")
    components: list[Component] = []
    for name in names:
        purl = f"pkg:github/swiftlang/{name}@swift-{found.group(1)}-RELEASE"
        components.append({
            "type": "library", "bom-ref": purl, "name": name, "version": found.group(1),
            "licenses": licensed("Apache-2.0 WITH Swift-exception"), "purl": purl,
        })
    return components


def debian_component(package: str) -> Component:
    fields = "${source:Package}\t${Version}\t${Architecture}"
    source, version, architecture = output("dpkg-query", "-W", "-f", fields, package).split("\t")
    if source not in DEBIAN_SOURCES:
        sys.exit(f"sbom.py: the licence of {package} (source {source}) is not in its table")
    name = package.split(":")[0]
    purl = f"pkg:deb/debian/{name}@{version.replace(':', '%3A').replace('+', '%2B')}?arch={architecture}"
    return {
        "type": "library", "bom-ref": purl, "name": name, "version": version,
        "licenses": licensed(DEBIAN_SOURCES[source]), "purl": purl,
    }


def package_of_file(path: str) -> str:
    """The Debian package that contains a file."""
    # Debian 12 has merged /usr, and dpkg lists the path of either side.
    for alternative in [path, path.removeprefix("/usr"), "/usr" + path, str(Path(path).resolve())]:
        found = subprocess.run(["dpkg-query", "-S", alternative], capture_output=True, text=True)
        if found.returncode == 0:
            return found.stdout.split(": ")[0]
    sys.exit(f"sbom.py: no package has {path}")


def archives() -> list[str]:
    """The Debian packages of the archives that `make release` gives the linker in the place of shared libraries."""
    return [package_of_file(path) for path in re.findall(r"/\S+", (ROOT / ".build/static/libstdc++.a").read_text())]


def shared_libraries(program: Path) -> list[str]:
    """The Debian packages of the libraries that a program is linked against, without those of the libraries."""
    names = re.findall(r"NEEDED\s+(\S+)", output("objdump", "-p", str(program)))
    cache = dict(re.findall(r"^\s+(\S+) \(libc6,x86-64[^)]*\) => (\S+)$", output("/sbin/ldconfig", "-p"), re.M))
    return sorted({package_of_file(cache[name]) for name in names})


def main() -> None:
    target, programs = Path(sys.argv[1]), [Path(path) for path in sys.argv[2:]]
    lines = (ROOT / "scripts/packages.txt").read_text().splitlines()
    versions = {address.rsplit("/", 1)[1]: version for address, version in (line.split()[:2] for line in lines)}
    packages, vendored = package_of_module(), vendored_components()
    components: dict[str, Component] = {}
    dependencies: dict[str, set[str]] = {}

    def use(user: str, component: Component) -> str:
        reference = str(component["bom-ref"])
        components[reference] = component
        dependencies.setdefault(user, set()).add(reference)
        return reference

    version = project_version()
    for program in programs:
        own = f"{program.name}@{version}"
        digest = hashlib.sha256(program.read_bytes()).hexdigest()
        use("relativityd", {
            "type": "application", "bom-ref": own, "name": program.name, "version": version,
            "licenses": licensed("Apache-2.0"), "hashes": [{"alg": "SHA-256", "content": digest}],
        })
        modules = linked_modules(program.name)
        unknown = modules - packages.keys()
        if unknown:
            sys.exit(f"sbom.py: {program.name} has modules of no known package: {', '.join(sorted(unknown))}")
        for package in sorted({packages[module] for module in modules} - {""}):
            reference = use(own, swift_component(package, versions))
            for part in vendored.get(package, []):
                use(reference, part)
        if "CTOML" in modules:
            use(own, debian_component("libtomlplusplus-dev"))
        for component in toolchain_components(program.name):
            use(own, component)
        for package in archives() + shared_libraries(program):
            use(own, debian_component(package))

    document: Component = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1,
        "metadata": {
            "component": {
                "type": "application", "bom-ref": "relativityd", "name": "relativityd", "version": version,
                "licenses": licensed("Apache-2.0"),
            }
        },
        "components": [components[key] for key in sorted(components)],
        "dependencies": [
            {"ref": key, "dependsOn": sorted(dependencies.get(key, set()))}
            for key in ["relativityd", *sorted(components)]
        ],
    }
    content = json.dumps(document, sort_keys=True)
    document["serialNumber"] = uuid.uuid5(uuid.NAMESPACE_OID, content).urn
    target.write_text(json.dumps(document, indent=2) + "\n")


if __name__ == "__main__":
    main()
