# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests the page in a headless Chromium.

    page_test.py PAGE [--program LAYOUTCHECK] [--hostile N] [--mutants N] [--corpus FOLDER] [--screenshots FOLDER]

With the program, files and answers of both are compared. A failed test leaves a screenshot in the folder.
"""
import argparse
import functools
import http.server
import pathlib
import subprocess
import sys
import threading
import time

import page_certificates
import page_shardings
import page_texts
from webdriver import Browser, BrowserError

SMALL = "f32[3,5]{1,0:T(2,2)}"


class Page:
    """The page in a browser, and what its tests ask of it."""

    def __init__(self, browser, url, program):
        self.browser = browser
        self.url = url
        self.program = program

    def open(self, fragment=""):
        self.browser.open("about:blank")
        self.browser.open(self.url + fragment)
        self.settle()

    def settle(self):
        self.browser.wait_for("return document.body.dataset.answered !== undefined && LayoutEngine.isIdle()")

    def set(self, field, text):
        self.browser.run("const field = document.getElementById(arguments[0]); field.value = arguments[1];"
                         "field.dispatchEvent(new Event('input', {bubbles: true}))", field, text)
        self.settle()

    def text(self, css):
        return self.browser.run("return document.querySelector(arguments[0]).textContent", css)

    def wait_text(self, css, part):
        return self.browser.wait_for("const text = document.querySelector(arguments[0]).textContent;"
                                     "return text.includes(arguments[1]) && text", css, part)

    def layoutcheck(self, *arguments):
        return subprocess.run([self.program, *arguments], capture_output=True, text=True, check=False,
                              env={"LC_ALL": "C.UTF-8"}).stdout


def expect(actual, expected, what):
    if actual == expected:
        return
    if isinstance(actual, str) and isinstance(expected, str) and len(actual) > 1000:
        at = next((k for k, (a, b) in enumerate(zip(actual, expected)) if a != b), min(len(actual), len(expected)))
        what, actual, expected = f"{what}, from character {at} on", actual[at:at + 100], expected[at:at + 100]
    raise AssertionError(f"{what}: expected {expected!r}, found {actual!r}")


def test_typing(page):
    page.open()
    page.browser.clear("#layout")
    page.browser.type("#layout", SMALL)
    page.wait_text("#facts", "37.5 %")
    page.settle()
    expect(page.browser.run("return document.body.dataset.answered"), SMALL, "the layout that is shown")
    page.wait_text("#conversions", "((2,2),(2,3)):((2,12),(1,4))")
    expect(page.browser.run("return document.querySelectorAll('#array rect > title').length"), 15, "cells of the array")
    expect(page.browser.run("return document.querySelectorAll('#memory rect > title').length"), 24, "cells of the memory")


def test_errors(page):
    page.open()
    page.set("layout", "f32[3,5]{1,0:T(2,2}")
    page.wait_text("#layout-error", "column 19: expected")
    expect(page.browser.run("return document.getElementById('layout').ariaInvalid"), "true", "aria-invalid")
    mark = page.browser.run("""const mark = document.querySelector('#layout-error .mark');
      const range = document.createRange(); range.selectNodeContents(mark);
      const letter = document.createElement('span'); letter.className = 'code'; letter.style.font = getComputedStyle(mark).font;
      letter.textContent = '0'; document.body.append(letter); const width = letter.getBoundingClientRect().width; letter.remove();
      const field = document.getElementById('layout');
      return (range.getBoundingClientRect().left - field.getBoundingClientRect().left - parseFloat(getComputedStyle(field).paddingLeft)) / width""")
    if abs(mark - 18) > 0.3:
        raise AssertionError(f"the mark is {mark} characters from the start of the text, not 18")
    page.set("layout", SMALL)
    expect(page.browser.run("return document.getElementById('layout-error').hidden"), True, "the error is gone")
    page.set("place", "(3,0)")
    page.wait_text("#place-error", "coordinate y=3 is outside")
    page.set("place", "")


def test_hover(page):
    page.open("#layout=" + SMALL)
    page.browser.run("window.scrollTo(0, document.getElementById('array').offsetTop - 100)")
    page.browser.run("[...document.querySelectorAll('#array rect > title')].find((title) => title.textContent.startsWith('17:'))"
                     ".parentNode.id = 'seventeen'")
    page.browser.drag("#seventeen", button=False)
    page.wait_text("#status", "element (2,3) at linear index 17, byte 68, bit 0, 32 bits")
    marked = page.browser.run("return [...document.querySelectorAll('.linked > title')].map((title) => title.textContent)")
    expect(marked, ["17: y=2 x=3", "17: y=2 x=3"], "the marked cells")


def test_keyboard(page):
    page.open("#layout=" + SMALL)
    page.browser.run("document.getElementById('array').focus()")
    page.wait_text("#status", "element (0,0)")
    page.browser.press("ArrowRight", "ArrowRight", "ArrowDown")
    page.wait_text("#status", "element (1,2) at linear index 6")
    page.browser.press("End")
    page.wait_text("#status", "element (2,4) at linear index 20")
    page.browser.run("document.querySelector('.handle').focus()")
    page.browser.press(*["ArrowUp"] * 20)  # faster than the page answers
    page.browser.wait_for("return document.getElementById('layout').value === 'f32[23,5]{1,0:T(2,2)}'")
    page.settle()
    page.browser.run("document.querySelector('.handle.order').focus()")
    page.browser.press("ArrowUp")
    page.browser.wait_for("return document.getElementById('layout').value === 'f32[23,5]{0,1:T(2,2)}'")


def test_drag(page):
    page.open("#layout=" + SMALL)
    page.browser.drag(".handle:nth-of-type(2)", x=41)
    page.browser.wait_for("return document.getElementById('layout').value === 'f32[3,10]{1,0:T(2,2)}'")
    for text, by, stepped in (("f32[3]", -9, "f32[0]"), ("f32[9223372036854775807]", 1, "f32[9223372036854775807]"),
                              ("f32[99999999999999999999]", 1, "f32[99999999999999999999]")):
        [answer] = page_texts.ask_all(page, [{"op": "step", "layout": text, "at": 4, "by": by}])
        expect(answer["layout"], stepped, f"{text} stepped by {by}")


def test_places(page):
    page.open("#layout=" + SMALL)
    for text, found in (("17", "element (2,3) at linear index 17"), ("(1,4)", "element (1,4) at linear index 10"),
                        ("byte 36", "padding at linear index 9, byte 36")):
        page.set("place", text)
        page.wait_text("#status", found)
    page.open("#layout=u8[1048576,1048576]{1,0:T(8,128)(4,1)}&place=(524288,777)")
    page.wait_text("#status", "element (524288,777)")
    expect(page.browser.run("return document.querySelectorAll('#array .linked').length"), 1, "the cell in the folded picture")


def test_views(page):
    page.open("#" + "layout=((4,8),(2,2)):((32,1),(16,8))&tile=16x8")
    page.browser.wait_for("return document.querySelectorAll('#threads rect > title').length === 128")
    page.open("#layout=mma.m16n8k16.f16.C")
    page.browser.wait_for("return document.querySelectorAll('#threads rect > title').length === 128")
    page.open("#layout=" + "(32,8):(8,1)" + "&access=lane -> 4 bytes")
    page.wait_text("#banks", "bank")
    page.browser.wait_for("return document.querySelectorAll('#lanes rect').length > 32")
    page.set("access", "addresses 0,4,8 4 bytes")
    page.wait_text("#banks", "3 lanes of 4 bytes, addresses as listed")
    page.open("#layout=" + "((2,16)):((0,4))" + "&access=lane -> 16 bytes")
    page.wait_text("#banks", "every lane accesses the address of lane ^ 1")


def test_compare(page):
    page.open("#layout=f32[3,5]{1,0}")
    page.set("other", "f32[5,3]{0,1}")
    page.set("transpose", "1,0")
    page.wait_text("#relation", "bitcast")
    page.set("transpose", "")
    page.set("other", "f32[3,5]{0,1}")
    page.wait_text("#relation", "permuted")
    page.wait_text("#comparison-facts", "element (0,1) at 1 in A, at 3 in B")
    if page.program:
        page.wait_text("#compare-command", "layoutcheck compare")
    page.set("other", "f32[3,5")
    page.wait_text("#other-error", "column 8")


def test_formula(page):
    page.open("#layout=f32[20,300]{1,0:T(8,128)}")
    formula = "(i0/8*(N/128)+i1/128)*1024+i0%8*128+i1%128"
    page.set("formula", formula)
    page.wait_text("#verdict", "refuted: M=9 N=1 i0=8 i1=0 expected=1024 actual=0")
    page.set("assume", "N%128==0")
    verdict = page.wait_text("#verdict", "no counterexample among")
    if "proved" in verdict or "`layoutcheck prove` decides" not in verdict:
        raise AssertionError(f"the verdict of a search: {verdict}")
    searched = page.text("#searched")
    if not (searched.startswith("Searched: ") and "with M from " in searched and "i1 from 0 to " in searched):
        raise AssertionError(f"what was searched: {searched}")
    if page.program:
        expect(page.text("#formula-command"), f"layoutcheck prove 'f32[M,N]{{1,0:T(8,128)}}' --formula '{formula}' --assume 'N%128==0'",
               "the command that proves")
    page.browser.click("#search-longer")
    page.browser.wait_for("return /among [0-9]{6,} points/.test(document.getElementById('verdict').textContent)", seconds=90)
    page.set("formula", formula)
    page.browser.run("document.getElementById('array').focus()")
    page.wait_text("#status", "element (0,0) at linear index 0, byte 0, bit 0, 32 bits, formula 0")
    page.browser.press("End")
    page.wait_text("#status", "formula 6571 differs")
    page.set("formula", "i0 +")
    page.wait_text("#formula-error", "expected")


def test_drop(page):
    page.open()
    text = ("HloModule dropped\n\nENTRY main {\n  p = f32[64,3]{1,0:T(8,128)} parameter(0)\n"
            "  ROOT c = f32[64,3]{0,1:T(8,128)} copy(p)\n}\n")
    page.browser.run("""const transfer = new DataTransfer();
      transfer.items.add(new File([arguments[0]], 'dropped.txt', {type: 'text/plain'}));
      document.body.dispatchEvent(new DragEvent('drop', {bubbles: true, cancelable: true, dataTransfer: transfer}))""", text)
    report = page.wait_text("#report", "2 instructions")
    if page.program:
        ran = subprocess.run([page.program, "scan", "-"], input=text, capture_output=True, text=True, check=False)
        expect(report, ran.stdout.replace(" in -:", " in dropped.txt:").replace("\n-:", "\ndropped.txt:"), "the report of scan")


def test_link_and_export(page):
    page.open("#layout=zN:f16[20,40]")
    page.browser.run("window.kept = {}; LayoutExport.copy = async (text) => { kept.copied = text; };"
                     "LayoutExport.save = async (blob, name) => { kept[name] = name.endsWith('svg') ? await blob.text() : blob.size; }")
    for button, member, part in (("link", "copied", "layout=zN"), ("command", "copied", "layoutcheck show 'zN:f16[20,40]' --view both"),
                                 ("text", "copied", "padded elements"), ("svg", "copied", "<svg"), ("save-svg", "layout.svg", "</svg>")):
        page.browser.run("delete kept.copied")
        page.browser.click(f"[data-export={button}]")
        page.browser.wait_for("return kept[arguments[0]]?.includes(arguments[1])", member, part)
    page.browser.click("[data-export=save-png]")
    page.browser.wait_for("return kept['layout.png'] > 10000")
    if page.program:
        file = pathlib.Path(page.screenshots) / "program.svg"
        page.layoutcheck("show", "zN:f16[20,40]", "--view", "both", "--svg", str(file))
        expect(page.browser.run("return kept['layout.svg']"), file.read_text(encoding="utf-8"), "the saved picture")
        file.unlink()
    link = page.browser.run("return location.href")
    page.browser.open("about:blank")
    page.browser.open(link)
    page.settle()
    expect(page.browser.run("return document.getElementById('layout').value"), "zN:f16[20,40]", "the layout of the link")
    for example in page.browser.run("return [...document.querySelectorAll('#examples a')].map((link) => link.hash)"):
        page.open(example)
        errors = page.browser.run("return [...document.querySelectorAll('.error')].filter((place) => !place.hidden).map((place) => place.textContent)")
        expect(errors, [], f"errors of the example {example}")


def test_dark_and_narrow(page):
    page.open()
    colors = "return [getComputedStyle(document.body).backgroundColor, getComputedStyle(document.querySelector('#memory .page')).fill]"
    seen = []
    for scheme in ("light", "dark"):
        page.browser.devtools("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        seen += page.browser.run(colors)
    expect(seen, ["rgb(255, 255, 255)"] * 2 + ["rgb(20, 25, 31)"] * 2, "colors of page and picture, light and dark")
    page.browser.devtools("Emulation.setEmulatedMedia", features=[])
    page.browser.devtools("Emulation.setDeviceMetricsOverride", width=360, height=700, deviceScaleFactor=1, mobile=True)
    width = page.browser.run("return document.documentElement.scrollWidth")
    page.browser.devtools("Emulation.clearDeviceMetricsOverride")
    if width > 360:
        raise AssertionError(f"a screen of 360 px scrolls sideways, over {width} px")


def test_phone_and_fold(page):
    """The banks of an access are seen without scrolling, and captions end inside of their cards."""
    for width, height, mobile in ((1400, 1000, False), (390, 844, True)):
        page.browser.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=mobile)
        page.open("#layout=Sw<3,0,3> o 0 o (8,8):(8,1)&access=lane -> 4 bytes of f32")
        bottom = page.browser.run("return document.getElementById('banks').getBoundingClientRect().bottom")
        ends = page.browser.run("""return [...document.querySelectorAll('#array, #memory')].map((card) => card.clientWidth -
          Math.max(...[...card.querySelectorAll('text')].map((text) => text.getBoundingClientRect().right - card.getBoundingClientRect().left)))""")
        page.browser.devtools("Emulation.clearDeviceMetricsOverride")
        if bottom > height or min(ends) < 0:
            raise AssertionError(f"{width} x {height}: banks end at {bottom}; room to the right of the captions: {ends}")


def test_notations_and_loading(page):
    page.open()
    examples = page.browser.run("return [...document.querySelectorAll('#notations a')].map((link) => link.hash)")
    if len(examples) < 7:
        raise AssertionError(f"examples of notations: {examples}")
    for example in examples:
        page.open(example)
        expect(page.browser.run("return document.getElementById('layout-error').hidden"), True, f"{example} is read")
    page.browser.run("delete document.body.dataset.answered; document.getElementById('array').replaceChildren()")
    expect(page.browser.run("return getComputedStyle(document.getElementById('array'), '::before').content"), '"Loading \u2026"',
           "an empty picture before the first answer")


def test_served(page):
    """The page also works from a web server."""
    folder = str(pathlib.Path(page.file).parent)
    handler = functools.partial(QuietHandler, directory=folder)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        page.browser.open(f"http://127.0.0.1:{server.server_port}/{pathlib.Path(page.file).name}")
        page.settle()
        page.wait_text("#facts", "padded elements")
        server.shutdown()


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("page", type=pathlib.Path)
    parser.add_argument("--program")
    parser.add_argument("--hostile", type=int, default=200)
    parser.add_argument("--mutants", type=int, default=10, help="damaged texts per certificate")
    parser.add_argument("--corpus", type=pathlib.Path, default=pathlib.Path("corpus/vectors"))
    parser.add_argument("--screenshots", type=pathlib.Path, default=pathlib.Path("build/page/failures"))
    arguments = parser.parse_args()
    arguments.screenshots.mkdir(parents=True, exist_ok=True)
    tests = [value for name, value in globals().items() if name.startswith("test_")]
    tests += page_shardings.TESTS
    tests += [page_certificates.test_link, page_certificates.test_wrong_links, page_certificates.test_dropped,
              functools.partial(page_certificates.test_damaged, count=arguments.mutants)]
    tests += [functools.partial(page_texts.test_vectors, corpus=arguments.corpus),
              functools.partial(page_texts.test_hostile, count=arguments.hostile)]
    failed = 0
    with Browser() as browser:
        page = Page(browser, arguments.page.resolve().as_uri(), arguments.program)
        page.file, page.screenshots = arguments.page, arguments.screenshots
        for test in tests:
            name = getattr(test, "__name__", None) or test.func.__name__
            begin = time.monotonic()
            problem = None
            try:
                test(page)
                if messages := browser.messages():
                    problem = "the console says: " + "; ".join(messages[:3])
            except (AssertionError, BrowserError) as error:
                problem = str(error)
            print(f"{'failed' if problem else 'passed'}  {name}  {time.monotonic() - begin:.1f} s", flush=True)
            if problem:
                failed += 1
                print("  " + problem)
                browser.screenshot(arguments.screenshots / f"{name}.png")
    print(f"{len(tests)} tests of the page, {failed} failures")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
