# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The types of what is public, where mypy and pyright are installed (requirements-types.txt)."""

import ast
import pathlib
import subprocess
import sys

import pytest

import layoutcheck as lc

HERE = pathlib.Path(__file__).resolve().parent
PACKAGE = pathlib.Path(lc.__file__).parent


def test_a_typed_program_passes_mypy_in_its_strict_mode(tmp_path):
    api = pytest.importorskip("mypy.api", reason="mypy is not installed")
    out, err, code = api.run(["--strict", "--cache-dir", str(tmp_path), str(HERE / "typed_program.py")])
    assert code == 0, out + err


def test_all_public_types_are_known():
    pytest.importorskip("pyright", reason="pyright is not installed")
    command = [sys.executable, "-m", "pyright", "--verifytypes", "layoutcheck", "--ignoreexternal"]
    run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    if "known type" not in run.stdout:
        pytest.skip("pyright could not run: " + (run.stdout + run.stderr)[-200:])
    assert "Type completeness score: 100%" in run.stdout, run.stdout


def test_the_stub_of_the_algebra_names_its_functions():
    tree = ast.parse((PACKAGE / "algebra.pyi").read_text())
    functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    assert functions | {"make_layout", "make_ordered_layout"} == set(lc.algebra.__all__)
