# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""lc.triton on @triton.jit functions: their arguments, configurations, replays and scans."""

import sys
from dataclasses import replace

import layoutcheck as lc
import numpy as np
import pytest

triton = pytest.importorskip("triton", reason="Triton, which compiles the kernels, is not installed")
tl = pytest.importorskip("triton.language")
pytest.importorskip("layoutcheck._kernels", reason="the package was built without LLVM 19")
pytestmark = pytest.mark.filterwarnings("ignore:TRITON_DEFAULT_FP_FUSION", "ignore:.*fork:DeprecationWarning")

VECTORS = {"x_ptr": "f32[N]{0}", "out_ptr": "f32[N]{0}"}
ROWS = {"x_ptr": "f32[M,N]{1,0}:(LD,1)", "out_ptr": "f32[M,N]{1,0}:(LD,1)"}


@triton.jit
def halve(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(out_ptr + offsets, tl.load(x_ptr + offsets, mask=mask) * 0.5, mask=mask)


@triton.jit
def halve_unmasked(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + offsets, tl.load(x_ptr + offsets) * 0.5, mask=offsets < n)


@triton.jit
def copy_rows(x_ptr, out_ptr, stride, n, BLOCK: tl.constexpr):
    columns = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    mask = columns < n
    row = tl.program_id(0) * stride
    tl.store(out_ptr + row + columns, tl.load(x_ptr + row + columns, mask=mask), mask=mask)


@triton.jit
def copy_even(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    inputs = tl.program_id(0) * 2 * BLOCK + tl.arange(0, 2 * BLOCK)
    even, _ = tl.split(tl.reshape(tl.load(x_ptr + inputs, mask=inputs < 2 * n), [BLOCK, 2]))
    outputs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + outputs, even, mask=outputs < n)


@triton.jit
def add_bias(x_ptr, bias_ptr, out_ptr, n, scale, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n) * scale
    if bias_ptr is not None:
        x += tl.load(bias_ptr + offsets)
    tl.store(out_ptr + offsets, x, mask=offsets < n)


@triton.jit
def count(out_ptr, n, BLOCK: tl.constexpr):
    tl.atomic_add(out_ptr + tl.arange(0, BLOCK), 1.0)


configured = triton.autotune(
    [triton.Config({"BLOCK": 64}, num_warps=2), triton.Config({"BLOCK": 64}), triton.Config({"BLOCK": 128})],
    key=["n"])(halve)
with_heuristic = triton.heuristics({"BLOCK": lambda args: 64 if args["x_ptr"] is not None else 32})(halve)
with_size_heuristic = triton.heuristics({"BLOCK": lambda args: triton.next_power_of_2(args["n"])})(halve)


def ask(kernel, arrays=None, args=None, **changes):
    question = {"grid": "N ceildiv 64", "constexprs": {"BLOCK": 64}, "max_bytes": "2GiB", **changes}
    return lc.triton.prove(kernel, arrays or VECTORS, {"n": "N"} if args is None else args, **question)


def accesses(*args, **changes):
    [result] = ask(*args, laws="accesses", **changes).results
    return result


def test_a_kernel_is_proved():
    answer = ask(halve)
    assert answer and [result.law for result in answer.results if result] == ["accesses", "distinct-stores", "complete"]


def test_the_interpreter_shows_a_refuted_access_again():
    result = accesses(halve_unmasked)
    assert result.counterexample == {"N": 1, "thread_x": 1, "block_x": 0}
    assert "program (0, 0, 0) loads element 1 of x_ptr, which has 1" in result.replay


def test_the_interpreter_shows_large_addresses_without_memory():
    result = accesses(copy_rows, ROWS, {"stride": "LD", "n": "N"}, grid=("M", "N ceildiv 64"), max_bytes=None,
                      assume="N <= 2097120")
    assert result.right_while == "LD * M - LD <= 2147483647"
    assert "program (2, 0, 0) loads element -2147483648 of x_ptr" in result.replay
    wide = accesses(copy_rows, ROWS, {"stride": "LD", "n": "N"}, grid=("M", "N ceildiv 64"), max_bytes=None,
                    assume=["N <= 2097120", "M <= 2147483647"], types={"stride": "i64"})
    assert wide


def test_the_interpreter_shows_atomic_operations():
    result = accesses(count, {"out_ptr": "f32[N]{0}"}, grid="1")
    assert "changes element" in result.replay and "of out_ptr, which has 0" in result.replay


def test_an_interpreter_that_shows_nothing_is_a_contradiction():
    from layoutcheck.triton._arguments import bind
    from layoutcheck.triton._replay import Launch, replayed

    refuted = accesses(halve_unmasked, replay=False)
    assert refuted.replay == "" and refuted.verdict == "refuted"
    bound = bind(halve_unmasked, VECTORS, {"n": "N"}, {}, {"BLOCK": 64})
    launch = Launch(halve_unmasked, bound, VECTORS, "N ceildiv 64", False)
    harmless = replace(refuted, counterexample={"N": 64, "thread_x": 1, "block_x": 0})
    result = replayed(harmless, launch)
    assert result.verdict == "unknown" and result.replay.startswith("CONTRADICTION")


def test_each_configuration_is_asked():
    answer = ask(configured, constexprs={}, grid=lambda meta: f"N ceildiv {meta['BLOCK']}", laws="complete")
    assert answer and [result.configuration for result in answer.results] == [{"BLOCK": 64}, {"BLOCK": 128}]
    half = ask(configured, constexprs={}, grid="N ceildiv 128", laws="complete")
    assert not half and [bool(result) for result in half.results] == [False, True]
    assert "halve[BLOCK=128]" in repr(answer)
    [own] = ask(configured, laws="complete").results  # with the one BLOCK of the question
    assert own and own.configuration == {"BLOCK": 64}


def test_heuristics_compute_constants():
    assert ask(with_heuristic, constexprs={})
    with pytest.raises(lc.LayoutError, match="expected a value for BLOCK, as its heuristic gives none: "):
        ask(with_size_heuristic, constexprs={})
    assert ask(with_size_heuristic)


def test_none_is_no_array_and_numbers_of_floating_point_are_taken():
    arguments = {"n": "N", "scale": 0.5, "bias_ptr": None}
    assert ask(add_bias, args=arguments)
    biased = accesses(add_bias, {**VECTORS, "bias_ptr": "f32[N]{0}"}, {"n": "N", "scale": 2.0})
    assert "of bias_ptr" in biased.reason and "of bias_ptr" in biased.replay
    in_place = ask(halve, {"x_ptr": "f32[N]{0}"}, {"n": "N", "out_ptr": "x_ptr"}, laws=["accesses", "race-free"])
    assert in_place


def test_numbers_have_the_type_that_triton_gives_them():
    from layoutcheck.triton._arguments import bind

    def kind(value, **types):
        bound = bind(halve, VECTORS, {"n": value}, types, {"BLOCK": 64})
        return bound.signature["n"], bound.constants.get("n")

    assert kind(1) == ("constexpr", 1)
    assert kind(2) == kind(np.int64(2)) == ("i32", None) and kind(2**31 - 1)[0] == "i32" and kind(-2**31)[0] == "i32"
    assert kind(2**31)[0] == "i64" and kind(2**63)[0] == "u64"
    assert kind(True)[0] == "u1" and kind(0.5)[0] == "fp32"
    assert kind("N")[0] == "i32" and kind("N", n="i64")[0] == "i64"


def test_both_results_of_a_split_are_followed():
    arrays = {"x_ptr": "f32[2*N]{0}", "out_ptr": "f32[N]{0}"}
    assert ask(copy_even, arrays, source="out_ptr[i]=x_ptr[2*i]")
    odd = ask(copy_even, arrays, source="out_ptr[i]=x_ptr[2*i+1]", laws="relayout")
    assert [result.verdict for result in odd.results] == ["refuted"]


@pytest.mark.parametrize("changes, message", [
    ({"constexprs": {"BLOCK": 63}}, "^halve does not compile: arange's range must be a power of 2"),
    ({"constexprs": {}}, "^constexprs: expected a value for the parameter BLOCK of halve"),
    ({"constexprs": {"TILE": 1}},
     r"^constexprs: expected parameters of halve \(x_ptr, out_ptr, n, BLOCK\), found 'TILE'"),
    ({"arrays": {"x_ptr": "f32[N]{0}", "out_ptr": "c64[N]{0}"}}, "^arrays: out_ptr: expected a layout with an element"),
    ({"args": {"n": [1]}}, r"^args: n: expected a number, None, a formula"),
    ({"args": {"n": 2**64}}, "^args: n: expected a number of 64 bits"),
    ({"types": {"n": "int"}}, "^types: n: expected one of .*found 'int'"),
    ({"kernel": print}, "^expected a function with @triton.jit, the path of a .ttir file, or TTIR"),
])
def test_bad_arguments_are_errors(changes, message):
    with pytest.raises(lc.LayoutError, match=message):
        ask(**{"kernel": halve, **changes})


def test_a_scan_asks_each_kernel_of_a_module():
    kernels = {kernel.name.split(".")[-1]: kernel for kernel in lc.triton.scan(sys.modules[__name__], seconds=120)}
    assert {"halve", "halve_unmasked", "copy_rows", "count"} <= set(kernels)
    assert kernels["halve"] and "n <= 65536" in kernels["halve"].assumed
    rows = kernels["copy_rows"].answer.results
    # 65535 * 65536 has more than 31 bits.
    assert [(result.law, result.verdict) for result in rows[:1]] == [("accesses", "refuted")]
    assert all(kernel.outcome == "asked" for kernel in kernels.values())
    with pytest.raises(lc.LayoutError, match="^module: expected a module, found 3"):
        lc.triton.scan(3)
