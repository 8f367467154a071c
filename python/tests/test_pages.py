# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the examples of docs/python.md, docs/sharding.md and docs/triton.md, and the notebooks beside them."""

import doctest
import pathlib

import pytest

import layoutcheck as lc
from notebooks import executed, kinds

# test_package.sh copies the tests beside a copy of the pages; in a clone they are in docs/.
HERE = pathlib.Path(__file__).resolve().parent
DOCS = next((folder for folder in (HERE.parent / "docs", HERE.parent.parent / "docs") if folder.is_dir()), None)
pytestmark = pytest.mark.skipif(DOCS is None, reason="the pages are not in the source distribution")


def has_prover():
    try:
        lc.prove("f32[N]{0}", lambda i, N: i)
    except lc.ProverMissing:
        return False
    return True


def run_examples(text, name):
    """Runs the examples of a page and returns their number."""
    runner = doctest.DocTestRunner()
    test = doctest.DocTestParser().get_doctest(text, {}, name, str(DOCS / name), 0)
    report = []
    runner.run(test, out=report.append)
    assert runner.failures == 0, "".join(report)
    return runner.tries


def test_the_examples_of_the_page():
    text = (DOCS / "python.md").read_text()
    if not has_prover():
        text = text.partition("## Prove a function")[0]
    assert run_examples(text, "python.md") > 20


@pytest.mark.parametrize("section, module, examples", [("", "", 12), ("### From JAX", "jax", 9), ("### From PyTorch", "torch", 2)])
def test_the_examples_about_shardings(section, module, examples):
    page = (DOCS / "sharding.md").read_text().partition("## In Python")[2]
    text, heading, _ = page.partition("\n##")
    if module:
        imports = text[: text.index(">>> layout")] + "\n```\n"
        text = imports + page.partition(section)[2].partition("\n##")[0]
        examples += 2
        library = pytest.importorskip(module, reason=f"{module} is not installed")
        if module == "jax" and len(library.devices()) < 8:
            pytest.skip("JAX was started before conftest.py asked for 8 devices")
    assert run_examples(text, "sharding.md") == examples


@pytest.mark.filterwarnings("ignore:TRITON_DEFAULT_FP_FUSION", "ignore:.*fork:DeprecationWarning")
def test_the_examples_about_triton(monkeypatch):
    pytest.importorskip("triton", reason="Triton, which compiles the kernels, is not installed")
    pytest.importorskip("layoutcheck._kernels", reason="the package was built without LLVM 19")
    monkeypatch.syspath_prepend(str(DOCS.parent / "corpus" / "triton"))
    assert run_examples((DOCS / "triton.md").read_text(), "triton.md") == 9


@pytest.mark.parametrize("name", ["verify", "fuzz", "prove"])
def test_notebook(name, tmp_path):
    pytest.importorskip("ipykernel")
    pytest.importorskip("nbclient")
    nbformat = pytest.importorskip("nbformat")
    if name == "prove" and not has_prover():
        pytest.skip("the package was built without Z3")
    path = DOCS / "notebooks" / f"{name}.ipynb"
    found = kinds(executed(path, tmp_path))
    assert len(found) >= 5
    # The notebook is stored with its outputs: python/tests/notebooks.py writes them.
    assert kinds(nbformat.read(path, as_version=4)) == found
