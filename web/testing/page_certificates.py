# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of the page with certificates: what the program proves is checked in the browser, and what is damaged is refused."""
import pathlib
import subprocess
import sys
import tempfile

from page_texts import ask_all

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
from damaged_certificates_test import CLAIMS, Damage, certificates_of, mutants  # noqa: E402
from verify_certificate_test import verdicts  # noqa: E402

# Drops a file and returns the milliseconds until its verdict is shown.
DROP = """const done = arguments[arguments.length - 1];
const [name, text] = arguments;
(async () => {
  delete document.body.dataset.checked;
  const transfer = new DataTransfer();
  transfer.items.add(new File([text], name));
  const begin = performance.now();
  document.body.dispatchEvent(new DragEvent('drop', {bubbles: true, cancelable: true, dataTransfer: transfer}));
  while (!document.body.dataset.checked) await new Promise((resolve) => setTimeout(resolve, 1));
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  done(performance.now() - begin);
})()"""


def drop(page, name, text):
    return page.browser.call("POST", page.browser.session + "/execute/async", {"script": DROP, "args": [name, text]})


def prove(page, *arguments):
    """Returns what the program prints, and the certificate that it writes."""
    with tempfile.NamedTemporaryFile(mode="r", suffix=".cert") as file:
        run = subprocess.run([page.program, "prove", *arguments, "--certificate", file.name], capture_output=True, text=True,
                             check=False, env={"LAYOUTCHECK_PAGE": page.url})
        return run.stdout, file.read()


def shown(page, css):
    return page.browser.run("return [...document.querySelectorAll(arguments[0])].map((one) => one.textContent)", css)


def test_link(page):
    """The address that `prove --link` prints shows the claim, that it is proved, and each step."""
    if not page.program:
        return
    output, text = prove(page, "f32[M,N]{1,0:T(8,128)}", "--law", "in-bounds", "--law", "injective", "--link")
    link = output.splitlines()[-1]
    page.browser.open("about:blank")
    page.browser.open(link)
    page.settle()
    page.browser.wait_for("return document.body.dataset.checked === 'proved'")
    assert shown(page, ".certificate.good h3") == ["f32[M,N]{1,0:T(8,128)}"] * 2, shown(page, ".certificate h3")
    results = shown(page, ".certificate .result")
    assert all(one.startswith("proved for all M, N >= 0 and every index: checked here, ") for one in results), results
    assert "in-bounds: Every element lies inside the allocation: 0 <= offset < padded elements." in shown(page, ".certificate p")
    page.browser.run("document.querySelector('.steps-of').open = true; for (const part of document.querySelectorAll('.part')) part.open = true")
    lines = page.browser.wait_for("const lines = [...document.querySelectorAll('.steps tr')].map((row) => row.cells[1].textContent);"
                                  "return lines.length >= arguments[0] && lines", text.count("\n"))
    assert sorted(lines) == sorted(text.splitlines()), "the lines of the steps"
    assert "A number is the divisor times the quotient plus the remainder, and the remainder is below the divisor." in shown(page, ".steps td")
    page.browser.wait_for("return location.hash.includes('&certificate=') && LayoutEngine.isIdle()")
    page.browser.click("#proof-close")
    page.browser.wait_for("return document.getElementById('proof').hidden && !location.hash.includes('certificate')")


def test_wrong_links(page):
    """An address that holds no certificate is refused, and the rest of the page works."""
    for packed in ("", "eNpL", "eNpLBAAAYgBi", "%00", "a" * 5000, "eNpLBAAAYgBi" * 2):
        page.open("#layout=f32[3,5]{1,0}&certificate=" + packed)
        page.wait_text("#facts", "elements")
        if packed:
            page.browser.wait_for("return document.body.dataset.checked === 'refused'")
            assert "expected 'layoutcheck certificate 1'" in page.text("#proof-error"), page.text("#proof-error")


def test_dropped(page):
    """A certificate of a thousand steps is checked within a second; a line that is wrong is marked."""
    if not page.program:
        return
    _, text = prove(page, *(f"f32[A,B,C,D,E]{{4,3,2,1,0:T(P,Q){more}}}" for more in ("", "(2,1)", "(R,S)")))
    page.open()
    milliseconds = drop(page, "many.cert", text)
    steps = sum(int(one.rsplit(", ", 1)[1].split(" ")[0]) for one in shown(page, ".certificate .result"))
    assert page.browser.run("return document.body.dataset.checked") == "proved", page.text("#proof-summary")
    print(f"  {steps} steps, {len(text)} bytes: {milliseconds:.0f} ms from the drop to the verdict")
    assert steps >= 1000 and milliseconds < 1000, (steps, milliseconds)
    lines = text.split("\n")
    wrong = next(k for k, line in enumerate(lines) if line.startswith("goal "))
    drop(page, "damaged.cert", "\n".join([*lines[:wrong], "goal", *lines[wrong + 1:]]))
    page.browser.wait_for("return document.querySelector('.steps .wrong th')?.textContent === arguments[0]", str(wrong + 1))
    assert "1 of " in page.text("#proof-summary"), page.text("#proof-summary")
    page.browser.click("#proof-close")


def test_damaged(page, count):
    """The page refuses each damaged certificate that tools/verify_certificate.py refuses; the mutation test of that says
    that the others are of true claims."""
    if not page.program:
        return
    page.open()
    texts = certificates_of(page.program, [["prove", *claim] for claim in CLAIMS])
    draw = Damage(page.program, count).draw
    tried = refused = 0
    for text in texts:
        damaged = list(mutants(text, draw.sample(texts, 4), draw))
        damaged = [text] + [one for _, one in draw.sample(damaged, min(count, len(damaged)))]
        answers = ask_all(page, [{"op": "certificate", "file": "a.cert", "text": one} for one in damaged])
        for one, answer in zip(damaged, answers):
            accepted = answer["ok"] and answer["proved"] and len(answer["certificates"]) == 1
            tried, refused = tried + 1, refused + (not accepted)
            expected = verdicts(one)
            assert not accepted or (isinstance(expected, list) and len(expected) == 1), (answer, expected, one)
        assert answers[0]["proved"], (answers[0], text)
    print(f"  {tried - len(texts)} damaged certificates of {len(texts)} claims, {refused} refused")
