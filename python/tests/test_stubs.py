# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The stubs name what the compiled module has, and everything public has a docstring."""

import ast
import inspect
import pathlib

import layoutcheck as lc
from layoutcheck import _core

PACKAGE = pathlib.Path(lc.__file__).parent


def stub_names(body):
    names = set()
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, ast.AnnAssign):
            names.add(node.target.id)
    return names


def own_names(thing):
    return {name for name in vars(thing) if not name.startswith("__")}


def test_stubs_name_everything():
    tree = ast.parse((PACKAGE / "_core.pyi").read_text())
    names = stub_names(tree.body)
    assert {name for name in names if not hasattr(_core, name)} == set()
    assert own_names(_core) - names == set()
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            declared = {name for name in stub_names(node.body) if not name.startswith("__")}
            assert declared == own_names(getattr(_core, node.name)), node.name


def test_package_is_typed_and_has_a_version():
    assert (PACKAGE / "py.typed").exists()
    assert lc.__version__.count(".") == 2


def test_everything_public_has_a_docstring():
    public = [getattr(lc, name) for name in lc.__all__ if not name.startswith("__")]
    methods = [getattr(lc.Layout, name) for name in dir(lc.Layout) if not name.startswith("_")]
    missing = [thing for thing in public + methods if not inspect.getdoc(thing)]
    assert missing == []
