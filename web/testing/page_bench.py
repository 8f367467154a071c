# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times the page beside the program: from a keystroke to the picture on the screen.

    page_bench.py PAGE [--program LAYOUTCHECK]

Prints the least of 20 keystrokes in milliseconds, which other work on the machine disturbs least: in the module, and until the browser has drawn; then the program's own
`show --view both --svg`, as a process.
"""
import argparse
import pathlib
import subprocess
import tempfile
import time

from webdriver import Browser

LAYOUTS = [("15 cells", "f32[3,5]{1,0:T(2,2)}"), ("10^4 cells", "f32[100,100]{1,0:T(4,4)}"), ("10^4 cells in one tile row", "f32[8,1250]{1,0:T(8,128)}"),
           ("2^40 cells, folded", "u8[1048576,1048576]{1,0:T(8,128)(4,1)}")]

# Types the text 20 times and waits until each picture is drawn: the second frame after the answer begins when it is.
KEYSTROKES = """const [text, done] = [arguments[0], arguments[arguments.length - 1]];
(async () => {
  const field = document.getElementById('layout');
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const times = [], inside = [];
  for (let k = 0; k < 22; ++k) {
    while (!LayoutEngine.isIdle()) await frame();
    await frame();
    const wanted = text + ' '.repeat(k % 2);
    const begin = performance.now();
    field.value = wanted;
    field.dispatchEvent(new Event('input', {bubbles: true}));
    let module = 0;
    while (document.body.dataset.answered !== wanted) {
      await new Promise((resolve) => { const channel = new MessageChannel(); channel.port1.onmessage = resolve; channel.port2.postMessage(0); });
      module = LayoutEngine.milliseconds();
    }
    document.getElementById('views').getBoundingClientRect();
    const answered = performance.now() - begin;
    if (k >= 2) { times.push(answered); inside.push(module); }
  }
  done([times, inside]);
})()"""


def program_time(program, layout):
    with tempfile.TemporaryDirectory() as folder:
        times = []
        for _ in range(10):
            begin = time.monotonic()
            subprocess.run([program, "show", layout, "--view", "both", "--svg", folder + "/picture.svg"], check=True, stdout=subprocess.DEVNULL)
            times.append(1000 * (time.monotonic() - begin))
    return min(times)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("page", type=pathlib.Path)
    parser.add_argument("--program")
    arguments = parser.parse_args()
    with Browser() as browser:
        browser.open(arguments.page.resolve().as_uri())
        browser.wait_for("return document.body.dataset.answered !== undefined && LayoutEngine.isIdle()")
        for name, layout in LAYOUTS:
            times, inside = browser.call("POST", browser.session + "/execute/async", {"script": KEYSTROKES, "args": [layout]})
            row = f"{name:28} module {min(inside):6.1f} ms   picture {min(times):6.1f} ms"
            if arguments.program:
                row += f"   program {program_time(arguments.program, layout):6.1f} ms"
            print(row, flush=True)


if __name__ == "__main__":
    main()
