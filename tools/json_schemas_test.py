#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests docs/schema: that tools/json_schemas.py writes it, and with python3-jsonschema that it is JSON Schema.

    tools/json_schemas_test.py PROGRAM   validates some outputs of the program, too
"""

import json
import os
import subprocess
import sys
import tempfile

import json_schemas

# A command per kind of document that needs no file.
COMMANDS = [
    ["parse", "f32[3,5]"], ["parse", "f32[3,"], ["index", "f32[3,5]", "2,3"], ["coord", "f32[3]", "1"],
    ["show", "f32[3,5]{1,0:T(2,2)}"], ["show", "f32[5] mesh[2] S(0)"], ["compare", "f32[2,3]", "f32[2,3]{0,1}"],
    ["convert", "f32[2,3]", "--to", "c"], ["prove", "f32[M,N]{0,1}", "--formula", "i0*N+i1"], ["laws"], ["subjects"],
    ["explain", "injective"], ["show", "f32[3"], ["check", "f32[2,3]"],
]


def main():
    sys.argv.append("--check")
    if json_schemas.main() != 0:
        return 1
    try:
        import jsonschema
    except ImportError:
        print("not validated: python3-jsonschema is not installed")
        return 0
    failures = 0
    for path in sorted(json_schemas.FOLDER.glob("*.json")):
        jsonschema.Draft202012Validator.check_schema(json.loads(path.read_text()))
    for command in COMMANDS:
        with tempfile.TemporaryDirectory() as folder:
            out = subprocess.run([os.path.abspath(sys.argv[1]), *command, "--json"], capture_output=True, text=True,
                                 check=False, cwd=folder).stdout
        schema = json.loads((json_schemas.FOLDER / f"{command[0]}.json").read_text())
        validator = jsonschema.Draft202012Validator(schema)
        lines = out.splitlines()
        failures += not lines
        for line in lines:
            for error in validator.iter_errors(json.loads(line)):
                print(f"{command}: {error.message}")
                failures += 1
    print(f"{len(COMMANDS)} commands, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
