# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pictures of layouts, reports and verdicts, and bank conflicts."""

import pytest

import layoutcheck as lc

SMALL = "f32[3,5]{1,0:T(2,2)}"
SHARDED = "f32[5,6]{1,0:T(2,2)} sharding={devices=[2,1,3]<=[6] last_tile_dim_replicate}"


def test_text_has_the_sizes_and_the_cells():
    text = lc.Layout(SMALL).show()
    assert text.startswith(SMALL + "\n\n")
    assert "padded elements   24" in text
    assert "2,3" in text and "17" not in text.split("\n\n", 2)[2]
    assert "17" in lc.Layout(SMALL).show("logical")
    assert max(map(len, lc.Layout("f32[64,640]{1,0:T(8,128)}").show("both", width=60).split("\n"))) < 90


def test_svg_marks_each_cell():
    svg = lc.Layout(SMALL).svg("both")
    assert svg.startswith("<svg ") and svg.rstrip().endswith("</svg>")
    assert svg.count("<title>17: y=2 x=3</title>") == 2


def test_threads_take_a_tile():
    layout = lc.Layout("((4,8),(2,2)):((32,1),(16,8))")
    assert "T5V1" in layout.svg("threads", tile=(16, 8))
    with pytest.raises(lc.LayoutError):
        layout.svg("threads", tile=(3,))


def test_an_array_on_many_devices_has_a_picture():
    layout = lc.Layout(SHARDED)
    assert "6: 0-5" in layout.show() and "each on 3 devices" in layout.show()
    assert "devices 3-5" in layout.svg()
    assert "<svg " in layout._repr_html_()


def test_banks_of_an_access():
    access = "lane -> 4 bytes of f32"
    column = lc.Layout("(32,32):(32,1)").banks(access)
    assert (column.load_passes, column.store_degree, column.has_conflicts) == (32, 32, True)
    assert column.addresses[:3] == (0, 128, 256) and column.bytes == 4
    assert column.store_phases == (lc.Phase(0, 32, 32, 0),)
    padded = lc.Layout("(32,32):(33,1)").banks(access)
    assert (padded.load_passes, padded.store_passes, padded.has_conflicts) == (1, 1, False)
    assert "32-way, 32 passes" in lc.Layout("(32,32):(32,1)").show(access=access)
    assert lc.Layout("(32,32):(32,1)").banks("addresses 0,4 4 bytes").addresses == (0, 4)


@pytest.mark.parametrize(
    "call, error, words",
    [
        (lambda layout: layout.show("plan"), ValueError, "view: expected one of memory, logical, both, threads, got 'plan'"),
        (lambda layout: layout.show(width=3), ValueError, "width: expected an integer from 20"),
        (lambda layout: layout.svg(access=7), TypeError, "access: expected a text"),
        (lambda layout: layout.banks("lane"), lc.LayoutError, "expected"),
        (lambda layout: lc.Layout(SHARDED).banks("lane -> 4 bytes of f32"), lc.LayoutError, "one memory"),
    ],
)
def test_what_has_no_picture(call, error, words):
    with pytest.raises(error, match=words):
        call(lc.Layout(SMALL))


def test_a_report_is_readable_and_has_pictures():
    def rounds_down(layout, index):
        i, j = index
        return (i // 8 * (layout.shape[1] // 128) + j // 128) * 1024 + i % 8 * 128 + j % 128

    report = lc.check(rounds_down, "f32[M,N]{1,0:T(8,128)}", cases=50)
    lines = repr(report).split("\n")
    assert lines[0].startswith("<Report: found: 50 cases, ")
    assert lines[1].endswith("breaks linear-index on f32[9,1]{1,0:T(8,128)}: expected 1024, actual 0>")
    page = report._repr_html_()
    assert page.count("<svg ") == 1 and "breaks linear-index" in page and "lc.check(" in page
    assert "<svg " not in lc.check(lambda layout, index: layout.offset(index), cases=5)._repr_html_()


def test_a_verdict_shows_the_layout_of_its_counterexample():
    prove = pytest.importorskip("layoutcheck._prover") and lc.prove
    wrong = prove("f32[M,N]{1,0:T(8,128)}", lambda i, j, M, N: i * N + j)
    page = wrong._repr_html_()
    assert "<svg " in page and "refuted: " in page
    numbers = f"f32[{wrong.counterexample['M']},{wrong.counterexample['N']}]{{1,0:T(8,128)}}"
    assert numbers in page
    right = prove("f32[M,N]{1,0}", lambda i, j, M, N: i * N + j, certificates=True)
    assert "<svg " not in right._repr_html_() and right.link() in right._repr_html_()
    assert "proved for all M, N &gt;= 0 and every index" in right._repr_html_()
