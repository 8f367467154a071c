#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the steps of action.yml and the hooks of .pre-commit-hooks.yaml in clean folders, as GitHub and pre-commit do.

Usage: steps_test.py PROGRAM
"""

import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

try:
    import yaml
except ImportError:
    print("PyYAML is not installed (python3-yaml): the steps are not run")
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else None
MODULE = ROOT / "corpus" / "modules" / "module.txt"  # has an error
ROWS = '[prove.rows]\nlayout = "f32[M,N]{1,0}"\nformula = "i0*N + i1"\n'
COLUMNS = '[prove.columns]\nlayout = "f32[M,N]{0,1}"\nformula = "i0*N + i1"\n'


class Folder:
    """A clean folder with nothing but these files, and the program on PATH."""

    def __init__(self, case, files, with_program=True):
        temporary = tempfile.TemporaryDirectory()
        case.addCleanup(temporary.cleanup)
        self.base = pathlib.Path(temporary.name)
        self.path = self.base / "repository"
        self.temp = self.base / "temp"
        self.bin = self.base / "bin"
        for folder in (self.path, self.temp, self.bin):
            folder.mkdir()
        for name, text in files.items():
            (self.path / name).parent.mkdir(parents=True, exist_ok=True)
            (self.path / name).write_text(text)
        if with_program:
            (self.bin / "layoutcheck").symlink_to(PROGRAM)
        self.summary = self.base / "summary"
        self.output = self.base / "output"

    def run(self, command, variables=()):
        environment = {
            "PATH": f"{self.bin}:/usr/bin:/bin",
            "HOME": str(self.base),
            "GITHUB_STEP_SUMMARY": str(self.summary),
            "GITHUB_OUTPUT": str(self.output),
            **dict(variables),
        }
        return subprocess.run(command, cwd=self.path, env=environment, capture_output=True, text=True, check=False)


class Action:
    """The steps of action.yml, with the inputs that a workflow gives."""

    def __init__(self, folder, **inputs):
        self.document = yaml.safe_load((ROOT / "action" / "action.yml").read_text())
        self.folder = folder
        self.values = {f"inputs.{name}": one["default"] for name, one in self.document["inputs"].items()}
        self.values.update({f"inputs.{name.replace('_', '-')}": value for name, value in inputs.items()})
        self.values.update({"runner.temp": str(folder.temp), "runner.os": "Linux"})

    def expand(self, text):
        return re.sub(r"\$\{\{ ([a-z.-]+) \}\}", lambda match: self.values[match.group(1)], text)

    def step(self, name):
        return next(step for step in self.document["runs"]["steps"] if step["name"] == name)

    def run(self, name):
        step = self.step(name)
        variables = {key: self.expand(value) for key, value in step.get("env", {}).items()}
        script = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", self.expand(step["run"])]
        return self.folder.run(script, variables)

    def outputs(self):
        if not self.folder.output.exists():
            return {}
        return dict(line.split("=", 1) for line in self.folder.output.read_text().splitlines())


class ActionTest(unittest.TestCase):
    def test_every_step_is_one_that_a_composite_action_may_have(self):
        document = yaml.safe_load((ROOT / "action" / "action.yml").read_text())
        self.assertEqual(document["runs"]["using"], "composite")
        for step in document["runs"]["steps"]:
            self.assertEqual("run" in step, "shell" in step, step["name"])
            self.assertNotEqual("run" in step, "uses" in step, step["name"])
            # Values come in variables, because the shell would run what an input says.
            self.assertNotIn("${{", step.get("run", ""))
        for output in document["outputs"].values():
            self.assertRegex(output["value"], r"steps\.run\.outputs\.")

    def test_claims_that_hold(self):
        action = Action(Folder(self, {"layoutcheck.toml": ROWS}))
        self.assertEqual(action.run("Install layoutcheck").returncode, 0)
        result = action.run("Check the claims")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("1 claim: 1 proved", result.stdout)
        self.assertIn("| rows | prove | proved |", action.folder.summary.read_text())
        # What the cache restores makes the next run short.
        self.assertTrue(list(action.folder.path.glob("**/.layoutcheck/unchanged/*")))
        self.assertIn("unchanged", action.run("Check the claims").stdout)

    def test_a_claim_that_does_not_hold(self):
        files = {"layouts/layoutcheck.toml": ROWS + COLUMNS}
        action = Action(Folder(self, files), file="layouts/layoutcheck.toml")
        result = action.run("Check the claims")
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("**refuted**", action.folder.summary.read_text())
        outputs = action.outputs()
        suite = xml.etree.ElementTree.parse(outputs["junit"]).getroot()
        self.assertEqual((suite.get("tests"), suite.get("failures")), ("2", "1"))
        [finding] = json.loads(pathlib.Path(outputs["sarif"]).read_text())["runs"][0]["results"]
        place = finding["locations"][0]["physicalLocation"]
        self.assertEqual(place["artifactLocation"]["uri"], "layouts/layoutcheck.toml")
        self.assertEqual(place["region"]["startLine"], 4)

    def test_a_file_that_cannot_be_used_leaves_no_report(self):
        action = Action(Folder(self, {"layoutcheck.toml": "[prove.rows]\nlayuot = 'f32[2]'\n"}))
        result = action.run("Check the claims")
        self.assertEqual(result.returncode, 2)
        self.assertIn("did you mean 'layout'?", result.stderr)
        self.assertEqual(action.outputs(), {})

    def test_an_input_is_no_command(self):
        action = Action(Folder(self, {}), file='$(touch made); `touch made`"; touch made')
        self.assertEqual(action.run("Check the claims").returncode, 2)
        self.assertFalse((action.folder.path / "made").exists())

    def test_the_package_is_installed_where_there_is_no_program(self):
        folder = Folder(self, {}, with_program=False)
        python = folder.bin / "python3"
        python.write_text(f'#!/bin/sh\necho "$@" >"$HOME/asked"\nln -s {shlex.quote(str(PROGRAM))} "$HOME/bin/layoutcheck"\n')
        python.chmod(0o755)
        result = Action(folder, package="layoutcheck==1.2").run("Install layoutcheck")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"^layoutcheck \d")
        self.assertEqual((folder.base / "asked").read_text(), "-m pip install layoutcheck==1.2\n")


class HooksTest(unittest.TestCase):
    def setUp(self):
        hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
        self.hooks = {hook["id"]: hook for hook in hooks}

    def test_claims_are_checked(self):
        hook = self.hooks["layoutcheck"]
        self.assertFalse(hook["pass_filenames"])
        for claims, code in ((ROWS, 0), (ROWS + COLUMNS, 1)):
            folder = Folder(self, {"layoutcheck.toml": claims})
            self.assertEqual(folder.run(shlex.split(hook["entry"])).returncode, code)

    def test_dumps_of_a_commit_are_scanned(self):
        hook = self.hooks["layoutcheck-scan"]
        names = {
            "dumps/module_0001.jit_step.after_optimizations.txt": True,
            "step.hlo": True,
            "notes.txt": False,
            "my_module_0001.jit.txt": False,
            "module_0001.jit.txt.png": False,
        }
        for name, is_dump in names.items():
            self.assertEqual(re.search(hook["files"], name) is not None, is_dump, name)
        dumps = [name for name, is_dump in names.items() if is_dump]
        folder = Folder(self, {name: MODULE.read_text() for name in dumps})
        result = folder.run(shlex.split(hook["entry"]) + dumps)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("error: step.hlo:10:3: bitcast-reads-padding", result.stdout)


if __name__ == "__main__":
    unittest.main()
