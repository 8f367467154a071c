#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests the bill of materials of the built program. Skipped (77) without dpkg."""

import json
import shutil
import subprocess
import sys
import unittest

import sbom

PROGRAM = ""


class BillOfMaterials(unittest.TestCase):
    def test_names_the_versions_of_what_is_loaded(self):
        document = sbom.document(PROGRAM, "1.2.3")
        versions = {package["name"]: package["versionInfo"] for package in document["packages"]}
        self.assertEqual(versions["layoutcheck"], "1.2.3")
        printed = dict(line.split(" ") for line in sbom.output(PROGRAM, "--version").splitlines())
        z3 = [version for name, version in versions.items() if name.startswith("libz3")]
        self.assertEqual([version.split("-")[0] for version in z3], [printed["Z3"]])
        self.assertIn("libc6", versions)

    def test_relates_each_package_to_the_program_once(self):
        document = sbom.document(PROGRAM, "1.2.3")
        packages = [package["SPDXID"] for package in document["packages"]]
        self.assertEqual(len(set(packages)), len(packages))
        self.assertEqual(sorted(one["relatedSpdxElement"] for one in document["relationships"]), sorted(packages))

    def test_is_the_same_twice(self):
        self.assertEqual(json.dumps(sbom.document(PROGRAM, "1")), json.dumps(sbom.document(PROGRAM, "1")))


if __name__ == "__main__":
    if not shutil.which("dpkg-query") or subprocess.run(["dpkg-query", "--show", "libc6"], capture_output=True).returncode:
        sys.exit(77)
    PROGRAM = sys.argv.pop(1)
    unittest.main()
