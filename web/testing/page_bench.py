# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times the page beside the program: from a keystroke to the picture on the screen.

    page_bench.py PAGE [--program LAYOUTCHECK]

Prints the median of 20 keystrokes in milliseconds: in the module; until the pictures are in the page and laid out; and until
they are drawn, without the wait for the screen's next frame. Then follows the program's own `show --view both --svg`, as a
process. Other work on the machine disturbs all of them.
"""
import argparse
import pathlib
import statistics
import subprocess
import tempfile
import time

from webdriver import Browser

LAYOUTS = [("15 cells", "f32[3,5]{1,0:T(2,2)}"), ("10^4 cells", "f32[100,100]{1,0:T(4,4)}"),
           ("10^4 cells in one tile row", "f32[8,1250]{1,0:T(8,128)}"),
           ("2^40 cells, folded", "u8[1048576,1048576]{1,0:T(8,128)(4,1)}")]

# Types the text 20 times. The task that a frame's callback posts runs after that frame is drawn.
KEYSTROKES = """const [text, done] = [arguments[0], arguments[arguments.length - 1]];
(async () => {
  const field = document.getElementById('layout');
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const task = () => new Promise((resolve) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = resolve;
    channel.port2.postMessage(0);
  });
  const answered = (text) => new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      if (document.body.dataset.answered !== text) return;
      observer.disconnect();
      resolve();
    });
    observer.observe(document.body, {attributes: true});
  });
  const times = [];
  for (let k = 0; k < 22; ++k) {
    while (!LayoutEngine.isIdle()) await frame();
    await frame();
    const wanted = text + ' '.repeat(k % 2);
    const begin = performance.now();
    field.value = wanted;
    field.dispatchEvent(new Event('input', {bubbles: true}));
    await answered(wanted);
    const inModule = LayoutEngine.milliseconds();
    document.getElementById('views').getBoundingClientRect();
    const laidOut = performance.now() - begin;
    await frame();
    const frameBegin = performance.now();
    await task();
    if (k >= 2) times.push([inModule, laidOut, laidOut + performance.now() - frameBegin]);
  }
  done(times);
})()"""


def program_time(program, layout):
    with tempfile.TemporaryDirectory() as folder:
        times = []
        for _ in range(10):
            begin = time.monotonic()
            subprocess.run([program, "show", layout, "--view", "both", "--svg", folder + "/picture.svg"], check=True,
                           stdout=subprocess.DEVNULL)
            times.append(1000 * (time.monotonic() - begin))
    return statistics.median(times)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("page", type=pathlib.Path)
    parser.add_argument("--program")
    arguments = parser.parse_args()
    with Browser() as browser:
        browser.open(arguments.page.resolve().as_uri())
        browser.wait_for("return document.body.dataset.answered !== undefined && LayoutEngine.isIdle()")
        for name, layout in LAYOUTS:
            times = browser.call("POST", browser.session + "/execute/async", {"script": KEYSTROKES, "args": [layout]})
            module, laid_out, drawn = map(statistics.median, zip(*times))
            row = f"{name:28} module {module:5.1f} ms   laid out {laid_out:5.1f} ms   drawn {drawn:5.1f} ms"
            if arguments.program:
                row += f"   program {program_time(arguments.program, layout):5.1f} ms"
            print(row, flush=True)


if __name__ == "__main__":
    main()
