# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""lc.triton.prove on TTIR, which needs no Triton, and the errors of questions that cannot be asked."""

import sys

import layoutcheck as lc
import pytest

ARRAYS = {"x": "f32[N]{0}", "out": "f32[N]{0}"}
COPY = """module {
  tt.func public @copy(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i32) {
    %c64 = arith.constant 64 : i32
    %pid = tt.get_program_id x : i32
    %start = arith.muli %pid, %c64 : i32
    %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %starts = tt.splat %start : i32 -> tensor<64xi32>
    %offsets = arith.addi %starts, %range : tensor<64xi32>
    %ns = tt.splat %n : i32 -> tensor<64xi32>
    %mask = arith.cmpi slt, %offsets, %ns : tensor<64xi32>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %from = tt.addptr %xs, %offsets : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %value = tt.load %from, %mask : tensor<64x!tt.ptr<f32>>
    %outs = tt.splat %out : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %to = tt.addptr %outs, %offsets : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    tt.store %to, %value, %mask : tensor<64x!tt.ptr<f32>>
    tt.return
  }
}
"""
UNMASKED = COPY.replace("%from, %mask", "%from")


@pytest.fixture
def kernels():
    return pytest.importorskip("layoutcheck._kernels", reason="the package was built without LLVM 19")


def ask(text=COPY, **changes):
    question = {"arrays": ARRAYS, "args": {"n": "N"}, "grid": "N ceildiv 64", "max_bytes": "2GiB", **changes}
    return lc.triton.prove(text, **question)


def test_a_copy_is_proved_law_by_law(kernels):
    answer = ask()
    assert answer and answer.kernel == "copy"
    verdicts = {result.law: result.verdict for result in answer.results}
    assert verdicts == dict.fromkeys(["accesses", "relayout", "distinct-stores", "complete"], "proved")
    assert "accesses         proved for all N" in repr(answer)


def test_a_missing_mask_is_refuted_at_the_smallest_size(kernels):
    answer = ask(UNMASKED)
    first = answer.results[0]
    assert not answer and (first.law, first.verdict) == ("accesses", "refuted")
    assert first.counterexample == {"N": 1, "thread_x": 1, "block_x": 0}
    assert "a read outside of x" in first.reason and first.replay == ""  # there is no kernel to interpret


def test_a_product_that_wraps_has_the_border(kernels):
    [wraps] = ask(grid="", laws="accesses", max_bytes=None).results
    assert wraps.verdict == "refuted" and wraps.right_while == "programs_x <= 33554432"


def test_a_file_is_read_and_its_function_named(kernels, tmp_path):
    path = tmp_path / "two.txt"
    path.write_text(COPY.replace("\n}\n", "\n") + UNMASKED.replace("module {\n", "").replace("@copy", "@unmasked"))
    assert lc.triton.prove(path, ARRAYS, {"n": "N"}, grid="N ceildiv 64", max_bytes="2GiB", function="copy")
    with pytest.raises(lc.LayoutError, match="expected one function of TTIR.*found copy, unmasked"):
        lc.triton.prove(str(path), ARRAYS, {"n": "N"})


@pytest.mark.parametrize("changes, message", [
    ({"arrays": {"x": "f32[N", "out": "f32[N]{0}"}}, r"^arrays x: expected '\]' in 'f32\[N'"),
    ({"arrays": {"y": "f32[N]{0}"}}, r"^arrays: expected parameters of the kernel \(x, out, n\), found 'y'"),
    ({"arrays": {"x": 3}}, "^arrays: x: expected a text, found 3"),
    ({"arrays": None}, "^arrays or args: expected a value for the parameter x"),
    ({"args": {}}, "^arrays or args: expected a value for the parameter n"),
    ({"args": {"n": "N +"}}, "expected an operand"),
    ({"args": "N"}, "^args: expected a dict by names of parameters, found 'N'"),
    ({"grid": 2.5}, "^grid: expected formulas such as 'N ceildiv 1024', found 2.5"),
    ({"laws": "speed"}, "^laws: expected accesses, .*found 'speed'"),
    ({"laws": 7}, "^laws: expected a text or a list of texts, found 7"),
    ({"max_bytes": "2 pounds"}, "^max_bytes: expected a number of bytes or a text such as '2GiB'"),
    ({"max_bytes": -1}, r"^max_bytes: expected a number from 0 to 2\*\*63 - 1, found -1"),
    ({"assume": "N <"}, "expected an operand"),
    ({"values": {"x": "0"}}, "x=0"),
    ({"function": "move"}, "^function: expected one of copy, found 'move'"),
    ({"text": "module {\n}\n"}, "^the text: expected one function of TTIR, or its name as function=, found none"),
    ({"text": COPY.replace("%pid, %c64", "%pid, %c65")},
     "^kernel.ttir: line 5: column 32: '%c65' is not defined before"),
    ({"text": "/no/such.ttir"}, "^/no/such.ttir: expected a file of TTIR; No such file"),
])
def test_bad_questions_name_the_argument(kernels, changes, message):
    with pytest.raises(lc.LayoutError, match=message):
        ask(**changes)


def test_a_build_without_the_module_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "layoutcheck._kernels", None)
    monkeypatch.delattr(lc, "_kernels", raising=False)
    with pytest.raises(lc.ProverMissing, match="LAYOUTCHECK_PROVE_KERNELS=ON"):
        ask()
