#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints a software bill of materials in SPDX 2.3 (JSON) for the built program, on Debian or Ubuntu.

    tools/sbom.py PROGRAM VERSION [BUILD]

Components are the Debian packages of the shared libraries that the program loads (ldd) and, with the folder BUILD in which
it was built by ninja, of the headers that were compiled into it. SOURCE_DATE_EPOCH is the time of the document, 1970
without it, so that the same build gives the same bytes.
"""

import datetime
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def shared_libraries(program):
    """Returns the paths of the libraries that the program loads."""
    return set(re.findall(r"(/\S+) \(0x", output("ldd", program)))


def compiled_headers(program, build):
    """Returns the headers outside of the project that the program's own objects were compiled with, as ninja knows them."""
    target = os.path.relpath(os.path.realpath(program), os.path.realpath(build))
    objects = set(output("ninja", "-C", build, "-t", "inputs", target).splitlines())
    headers = set()
    is_own = False
    for line in output("ninja", "-C", build, "-t", "deps").splitlines():
        if line and not line.startswith(" "):
            is_own = line.split(":")[0] in objects
        elif is_own and line.strip().startswith("/usr/"):
            headers.add(line.strip())
    return headers


def packages_of(files):
    """Returns {name: version} of the packages that own the files. Fails for a file without an owner."""
    # A path may lead through a link such as /lib -> /usr/lib, of which dpkg knows one side.
    ways = {file: {file, os.path.realpath(file), file.removeprefix("/usr"), "/usr" + file} for file in files}
    search = subprocess.run(["xargs", "dpkg-query", "--search"], input="\n".join(sorted(set().union(*ways.values()))),
                            capture_output=True, text=True).stdout
    owners = {}
    for line in search.splitlines():
        packages, _, path = line.partition(": ")
        if not packages.startswith("diversion"):
            owners.setdefault(path, set()).update(name.split(":")[0] for name in packages.split(", "))
    names = set()
    for file, known_as in ways.items():
        of_file = set().union(*(owners.get(path, set()) for path in known_as))
        if not of_file:
            sys.exit(f"sbom: no package owns {file}")
        names |= of_file
    versions = output("dpkg-query", "--show", "--showformat", "${Package} ${Version}\n", *sorted(names))
    return dict(line.split(" ") for line in versions.splitlines())


def component(name, version):
    identifier = re.sub(r"[^A-Za-z0-9.-]", "-", name)
    return {"SPDXID": f"SPDXRef-Package-{identifier}", "name": name, "versionInfo": version, "supplier": "NOASSERTION",
            "downloadLocation": "NOASSERTION", "filesAnalyzed": False, "licenseConcluded": "NOASSERTION",
            "licenseDeclared": "NOASSERTION", "copyrightText": "NOASSERTION",
            "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                              "referenceLocator": f"pkg:deb/debian/{name}@{version.replace('+', '%2B')}"}]}


def document(program, version, build=None):
    digest = hashlib.sha256(pathlib.Path(program).read_bytes()).hexdigest()
    linked = packages_of(shared_libraries(program))
    compiled = packages_of(compiled_headers(program, build)) if build else {}
    time = datetime.datetime.fromtimestamp(int(os.environ.get("SOURCE_DATE_EPOCH", "0")), datetime.timezone.utc)
    own = {**component("layoutcheck", version), "licenseDeclared": "Apache-2.0 WITH LLVM-exception",
           "checksums": [{"algorithm": "SHA256", "checksumValue": digest}]}
    del own["externalRefs"]
    packages = {name: component(name, number) for name, number in {**compiled, **linked}.items()}
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", own["SPDXID"])]
    for name in sorted(packages):
        relation = "DYNAMIC_LINK" if name in linked else "STATIC_LINK"
        relations.append((own["SPDXID"], relation, packages[name]["SPDXID"]))
    return {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
            "name": f"layoutcheck-{version}", "documentNamespace": f"https://spdx.org/spdxdocs/layoutcheck-{version}-{digest}",
            "creationInfo": {"created": time.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": ["Tool: layoutcheck-sbom"]},
            "packages": [own] + [packages[name] for name in sorted(packages)],
            "relationships": [{"spdxElementId": a, "relationshipType": kind, "relatedSpdxElement": b}
                              for a, kind, b in relations]}


def main(arguments):
    if len(arguments) not in (2, 3):
        sys.exit(__doc__)
    print(json.dumps(document(*arguments), indent=1))


if __name__ == "__main__":
    main(sys.argv[1:])
