#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs `layoutcheck run` in the folders of corpus/trial, and compares exit codes and verdicts with its manifest.

Usage: trial_test.py PROGRAM

Checks every fifth folder. With LAYOUTCHECK_NIGHTLY=1 it checks all of them, repairs each in which the mistake was found, and checks it again.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

TRIAL = pathlib.Path(__file__).resolve().parent.parent / "corpus" / "trial"
PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else None
ROWS = [json.loads(line) for line in (TRIAL / "manifest.jsonl").read_text().splitlines()]
IS_NIGHTLY = "LAYOUTCHECK_NIGHTLY" in os.environ


def run(folder):
    """Returns the exit code of `layoutcheck run` in the folder, and the lines of the claims."""
    command = [PROGRAM, "run", "--json", "--no-cache"]
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    return result.returncode, [line for line in lines if line["type"] == "claim"]


class Trial(unittest.TestCase):
    def copy(self, name):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        return pathlib.Path(shutil.copytree(TRIAL / name, pathlib.Path(temporary.name) / name))

    def test_verdicts_are_those_of_the_manifest(self):
        for row in ROWS if IS_NIGHTLY else ROWS[::5]:
            with self.subTest(row["name"]):
                code, claims = run(self.copy(row["name"]))
                self.assertEqual({claim["claim"]: claim["verdict"] for claim in claims}, row["verdicts"])
                self.assertEqual(code, row["exit"])
                messages = [problem["message"] for claim in claims for problem in claim.get("problems", [])]
                if "says" in row:
                    self.assertTrue(any(row["says"] in message for message in messages), messages)

    @unittest.skipUnless(IS_NIGHTLY, "by night")
    def test_repaired_folders_are_no_longer_refuted(self):
        for row in ROWS:
            if row["outcome"] != "found":
                continue
            with self.subTest(row["name"]):
                folder = self.copy(row["name"])
                repair = row["repair"]
                file = folder / repair["file"]
                text = file.read_text()
                self.assertIn(repair["from"], text)
                file.write_text(text.replace(repair["from"], repair["to"]))
                code, claims = run(folder)
                self.assertEqual(code, repair.get("exit", 0), claims)

    def test_every_folder_has_a_row(self):
        folders = sorted(path.name for path in TRIAL.iterdir() if path.is_dir())
        self.assertEqual(folders, sorted(row["name"] for row in ROWS))
        readme = (TRIAL / "README.md").read_text()
        for row in ROWS:
            self.assertIn(f"\n| {row['name']} |", readme)


if __name__ == "__main__":
    unittest.main()
