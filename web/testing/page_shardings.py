# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of the page with arrays on many devices: colors, linear indices, places, errors and links."""
import json
import pathlib

from page_texts import ask_all, coordinate_text

TILED = "f32[5,6]{0,1:T(2,2)} sharding={devices=[2,3]<=[6]}"
REPLICATED = "f32[5,6]{1,0:T(2,2)} sharding={devices=[2,1,3]<=[6] last_tile_dim_replicate}"
# Device and linear index of each element of TILED, as docs/sharding.md shows them.
LABELS = """0:0 0:2 1:0 1:2 2:0 2:2
            0:1 0:3 1:1 1:3 2:1 2:3
            0:4 0:6 1:4 1:6 2:4 2:6
            3:0 3:2 4:0 4:2 5:0 5:2
            3:1 3:3 4:1 4:3 5:1 5:3""".split()

# Returns coordinate, label and color of each cell.
CELLS = """return [...document.querySelectorAll('#array rect > title')].map((title) => [title.textContent.split(':')[0],
  title.parentNode.nextElementSibling.textContent, getComputedStyle(title.parentNode).fill])"""
LEGEND = """return [...document.querySelectorAll('#devices li')].map((item) => [item.textContent,
  getComputedStyle(item.querySelector('rect')).fill])"""


def type_text(page, text):
    page.browser.clear("#layout")
    page.browser.type("#layout", text)
    page.settle()
    page.browser.wait_for("return document.body.dataset.answered === arguments[0]", text)
    page.settle()


def mark_of(page):
    return page.browser.run("return [...document.querySelectorAll('.linked > title')].map((title) => title.textContent)")


def test_sharding_cells(page):
    """Each cell has the color of its devices, which the legend names with their arrays, and its device and linear index."""
    page.open()
    type_text(page, TILED)
    cells = page.browser.run(CELLS)
    assert [label for _, label, _ in cells] == LABELS, cells
    assert [name for name, _, _ in cells] == [f"({y},{x})" for y in range(5) for x in range(6)], cells
    legend = page.browser.run(LEGEND)
    assert [text for text, _ in legend] == [f"device {device}: f32[3,2]{{0,1:T(2,2)}}, 32 B" for device in range(6)], legend
    colors = [color for _, color in legend]
    assert len(set(colors)) == 6, colors
    assert all(color == colors[int(label.split(":")[0])] for _, label, color in cells), cells
    page.wait_text("#facts", "6 elements of padding")
    page.wait_text("#conversions", "not expressible")
    type_text(page, 'f32[8,12] mesh[x=2,y=4] P("x", None)')
    assert [text for text, _ in page.browser.run(LEGEND)] == ["devices 0-3: f32[4,12]{1,0}, 192 B", "devices 4-7: f32[4,12]{1,0}, 192 B"]
    page.wait_text("#conversions", "f32[8,12]{1,0} mesh[x=2,y=4] S(0),R")
    type_text(page, "f32[10]{0} mesh[4] S(0)")
    assert [text for text, _ in page.browser.run(LEGEND)][2:] == ["device 2: f32[3]{0}, 12 B", "device 3: f32[1]{0}, 4 B"]


def test_sharding_places(page):
    """A cell that is clicked has the devices and the linear index that `index --json` prints; "Go to" finds what `coord` does."""
    page.open()
    type_text(page, REPLICATED)
    page.browser.run("window.scrollTo(0, document.getElementById('array').offsetTop - 100);"
                     "[...document.querySelectorAll('#array rect > title')].find((title) => title.textContent.startsWith('(4,3):'))"
                     ".parentNode.id = 'clicked'")
    page.browser.drag("#clicked")
    page.wait_text("#status", "element (4,3) at linear index 7 on devices 3-5, byte 28, bit 0, 32 bits")
    assert mark_of(page) == ["(4,3): linear index 7 on devices 3-5: y=4 x=3"], mark_of(page)
    page.browser.run("window.scrollTo(0, 0)")
    page.browser.drag("h1", button=False)  # a cell that is drawn below the pointer is marked
    for text, found in (("4,3", "element (4,3) at linear index 7 on devices 3-5"),
                        ("7 on device 4", "element (4,3) at linear index 7 on devices 3-5"),
                        ("14 on device 4", "padding at linear index 14 on device 4")):
        page.set("place", text)
        page.wait_text("#status", found)
    for text, error in (("7 on device 6", "expected one of the devices 0-5, found 6"),
                        ("24 on device 4", "which has 24 elements: expected 0 to 23"), ("5,0", "coordinate y=5 is outside"),
                        ("17", "such as 17 on device 4"),
                        ("7 on 4 5", "column 8: expected end of text")):
        page.set("place", text)
        page.wait_text("#place-error", error)
    page.set("place", "")
    if not page.program:
        return
    for text, rows, columns in ((TILED, 5, 6), (REPLICATED, 5, 6), ("s4[4,5] mesh[2,3] _StridedShard(1,sf=2),S(1)", 4, 5)):
        coordinates = [(y, x) for y in range(rows) for x in range(columns)]
        answers = ask_all(page, [{"op": "locate", "layout": text, "place": coordinate_text(one)} for one in coordinates])
        for coordinate, answer in zip(coordinates, answers):
            expected = json.loads(page.layoutcheck("index", text, coordinate_text(coordinate), "--json"))
            found = {name: answer["place"][name] for name in expected}
            assert found == expected, f"{text} {coordinate}: {found}, the program says {expected}"


def test_sharding_errors(page):
    page.open("#layout=" + TILED)
    for text, error in (("f32[8,8] sharding={devices=[3,2]0,1,2,3,4,4}", "column 43: device 4 occurs twice"),
                        ('f32[8,8] mesh[x=2,y=4] P("x", "z")', 'column 31: expected an axis of the mesh (x, y), found "z"'),
                        ("f32[8,8 mesh[2,4] S(0)", "column 8: "),
                        ("f32[8] sharding={replicated}", "column 8: {replicated} does not say how many devices there are")):
        page.set("layout", text)
        page.wait_text("#layout-error", error)
        assert page.browser.run("return document.getElementById('layout').ariaInvalid") == "true", text
    assert len(page.browser.run(CELLS)) == 30, "the last picture stays"
    page.set("layout", TILED)
    page.set("other", "f32[5,6]{1,0}")
    page.wait_text("#other-error", "expected a sharding behind the shape")
    page.set("other", "s32[5,6] mesh[2] S(0)")
    page.wait_text("#other-error", "expected elements of the type and size that A has")
    page.set("other", "f32[5,6] mesh[2] S(2)")
    page.wait_text("#other-error", "column 20")


def test_sharding_comparison(page):
    """Two shardings have the collective, the bytes of each device and the marked elements that the program prints."""
    page.open("#layout=bf16[4096,1024] mesh[2,4] R,S(0)")
    page.set("other", "bf16[4096,1024] mesh[2,4] R,S(1)")
    page.wait_text("#relation", "all-to-all")
    page.wait_text("#comparison-facts", "element (0,256) to device 1: on 0,4 in A, on 1,5 in B")
    rows = page.browser.run("return [...document.querySelectorAll('#traffic tr')].map((row) => [...row.cells].map((cell) => cell.textContent))")
    assert rows == [["devices", "before", "after", "received", "sent"], ["0-7", "2 MiB", "2 MiB", "1.5 MiB", "1.5 MiB"]], rows
    page.set("layout", "f32[4,4] mesh[2] S(0)")
    page.set("other", "f32[4,4] sharding={replicated}")
    page.wait_text("#relation", "all-gather")
    labels = page.browser.run("return [...document.querySelectorAll('#comparison-a rect > title')].map((title) => title.textContent.split(':')[0])")
    assert labels == [f"({y},{x})" for y in range(4) for x in range(4)], labels
    page.set("layout", 'f32[8,4] mesh[x=2] P("x")')
    page.set("other", 'f32[32] mesh[x=2] P("x")')
    page.wait_text("#relation", "free")
    assert page.browser.run("return document.getElementById('comparison-views').hidden")
    page.set("other", 'f32[4,8]{0,1} mesh[x=2] P(None, "x")')
    page.set("transpose", "1,0")
    page.wait_text("#relation", "free")
    page.set("transpose", "1")
    page.wait_text("#transpose-error", "expected")
    page.set("transpose", "")
    if page.program:
        a, b = "f32[9] mesh[2,2] S(0),S(0)", "f32[9] sharding={devices=[4]<=[4]}"
        [answer] = ask_all(page, [{"op": "compare", "a": a, "b": b}])
        assert answer["text"] == page.layoutcheck("compare", a, b), answer["text"]
    page.set("other", "")


def test_sharding_links(page):
    """The link has the text, and what is copied is what the program prints."""
    page.open()
    text = 'f32[9,4]{1,0} #sdy.sharding<mesh<["x"=2, "y"=4]>, [{"x"}, {"y":(1)2, ?}]>'
    type_text(page, text)
    page.browser.wait_for("return new URLSearchParams(location.hash.slice(1)).get('layout') === arguments[0]", text)
    link = page.browser.run("return location.href")
    page.browser.open("about:blank")
    page.browser.open(link)
    page.settle()
    assert page.browser.run("return document.getElementById('layout').value") == text
    assert len(page.browser.run(CELLS)) == 36
    if page.program:
        [shown, picture] = ask_all(page, [{"op": "show", "layout": text, "with_text": True}, {"op": "picture", "layout": text}])
        file = pathlib.Path(page.screenshots) / "sharding.svg"
        assert shown["text"] == page.layoutcheck("show", text, "--svg", str(file))
        assert picture["svg"] == file.read_text(encoding="utf-8")
        file.unlink()


def test_sharding_steps(page):
    """The numbers of a sharding step, and entries of the dimension order alone change places."""
    page.open("#layout=" + TILED)
    orders = page.browser.run("return [...document.querySelectorAll('.handle.order')].map((handle) => handle.textContent)")
    assert orders == ["0", "1"], orders
    [answer] = ask_all(page, [{"op": "step", "layout": "f32[8] mesh[2] S(0)", "at": 12, "by": 2}])
    assert answer["layout"] == "f32[8] mesh[4] S(0)", answer


def test_sharding_sizes(page):
    """A large array is folded, the page stays within a narrow screen, and a layout of one memory has its pictures again."""
    page.open()
    large = 'u8[1048576,1048576]{1,0:T(8,128)(4,1)} mesh[x=256,y=256] P("x", "y")'
    type_text(page, large)
    cells = page.browser.run(CELLS)
    assert 0 < len(cells) < 3000, len(cells)
    legend = page.browser.run(LEGEND)
    assert len(legend) == 65 and legend[-1][0] == "and 65472 more", legend[-1]
    page.set("place", "(524288,777)")
    page.wait_text("#status", "element (524288,777) at linear index ")
    assert len(mark_of(page)) == 1
    page.set("place", "")
    for text in (TILED, large):
        page.browser.devtools("Emulation.setDeviceMetricsOverride", width=390, height=844, deviceScaleFactor=1, mobile=True)
        page.open("#layout=" + text)
        width = page.browser.run("return document.documentElement.scrollWidth")
        page.browser.devtools("Emulation.clearDeviceMetricsOverride")
        assert width <= 390, f"{text}: a screen of 390 px scrolls sideways, over {width} px"
    widths = "return [...document.querySelectorAll('#views svg')].map((svg) => svg.getBoundingClientRect().width)"
    page.open("#layout=f32[20,300]{1,0:T(8,128)}")
    expected = page.browser.run(widths)
    page.set("layout", TILED)
    page.set("layout", "f32[20,300]{1,0:T(8,128)}")
    assert page.browser.run(widths) == expected, f"{page.browser.run(widths)}, not {expected}"


TESTS = [test_sharding_cells, test_sharding_places, test_sharding_errors, test_sharding_comparison, test_sharding_links, test_sharding_steps, test_sharding_sizes]
