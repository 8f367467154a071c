#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks proof certificates, without any code of the prover that wrote them.

  tools/verify_certificate.py FILE...

A certificate has a claim and the steps of its proof (docs/certificates.md). This program reads the claim, works out for
itself what is to be shown, and follows the steps. It takes nothing on faith but the lemmas, which are theorems in
proofs/Lemmas.v and proofs/Bits.v. Prints `proved: CLAIM (N steps)` per certificate, or `FILE:LINE: why it is refused`.
Exit code: 0 all claims are proved, 1 a certificate does not prove its claim, 2 a file holds no certificates.

To be read in this order: certificate_steps (how facts show goals), tiled_layouts and formula_claims (which facts and
goals a claim has), strided_layouts (whose claims are about formulas, too), linear_layouts (layouts in bits), and this
module (files, claims, verdicts).
"""
import re
import sys

from certificate_steps import Polynomial, Refused, expect, parse_all
from formula_claims import FormulaClaim
from linear_layouts import check_linear, is_linear
from strided_layouts import check_strided
from tiled_layouts import LAWS, Fractal, Layout, check_law

FIRST_LINE = "layoutcheck certificate 1"
PARTS = ("layout", "over", "own", "formula", "equals", "below", "signed", "assume", "integer", "source")  # of a claim with a law
MAX_CHARACTERS = 2**28  # of a file; certificate_steps has the other limits
sys.setrecursionlimit(8000)  # bounds how deep expressions nest; the prover's limit is 400 levels

class Lines:
    """The lines of a file, which are taken one by one. The last one is empty."""
    def __init__(self, text):
        self.lines, self.number, self.steps = text.split("\n"), 0, 0
        if self.lines[0] != FIRST_LINE:
            raise ValueError("no certificate")

    def here(self):
        return self.lines[self.number]

    def is_at_end(self):
        return self.number == len(self.lines) - 1

    def take(self, pattern):
        """Takes a line and returns its match with a regular expression, which matches no empty line."""
        self.number += 1
        found = re.fullmatch(pattern, self.lines[self.number - 1])
        expect(found and self.number < len(self.lines), f"'{pattern}' and the end of the line")
        return found

def check_certificate(lines):
    """Checks one certificate and returns what it proves."""
    Polynomial.numbers.clear()
    Polynomial.work = lines.steps = 0
    lines.take(FIRST_LINE)
    law = lines.take("law (.*)")[1]
    claim, words = {part: [] for part in PARTS}, [law]
    for part in PARTS:
        while lines.here().startswith(part + " ") and (part in ("assume", "signed") or not claim[part]):
            text = lines.take(f"{part} (.*)")[1]
            is_text = part in ("layout", "signed", "integer", "source") or claim["layout"] and is_linear(*claim["layout"])
            formulas = [text] if is_text else parse_all(text)
            expect(part != "assume" or len(formulas) == 1, "one condition, not a list")
            claim[part] += formulas
            words.append(text if part == "layout" else f"{part} {text}")
    del claim["source"]  # names what the formula or the layout was read from, and is no part of the proof
    layout = "".join(claim["layout"])
    is_alone = [part for part in claim if claim[part]] == ["layout"]
    is_fractal = ":" in layout.partition("[")[0] and "[" in layout and not is_linear(layout)
    if is_fractal:
        fractal = Fractal(layout)
        claim["layout"] = [fractal.text]
        check_law("equals-hlo", Layout(fractal.text), lines, fractal)
    if is_linear(layout):
        check_linear(law, claim, lines)
    elif layout and "[" not in layout:
        check_strided(law, claim, lines)
    elif is_alone and law in LAWS:
        check_law(law, Layout(*claim["layout"]), lines)
    elif not (is_alone and is_fractal and law == "equals-hlo"):
        FormulaClaim(law, claim).check(lines)
    lines.take("end")
    return f"proved: {' '.join(words)} ({lines.steps} step{'s' * (lines.steps != 1)})"

def check_file(path):
    """Checks a file, prints the verdicts, and returns the exit code."""
    try:
        with open(path, encoding="utf-8", errors="surrogateescape", newline="\n") as file:
            lines = Lines(file.read(MAX_CHARACTERS))
        while not lines.is_at_end():
            print(check_certificate(lines))
        return 0
    except (Refused, RecursionError) as error:
        expected = error if isinstance(error, Refused) else "expressions that are nested less deeply"
        print(f"{path}:{lines.number}: '{lines.lines[lines.number - 1][:99]}', expected {expected}", file=sys.stderr)
        return 1
    except (OSError, ValueError) as error:
        print(f"{path}: {error}, expected a text file of certificates", file=sys.stderr)
        return 2

def main():
    files = sys.argv[1:]
    if not files or "--help" in files:
        print(__doc__)
        return 0 if files else 2
    sys.stdout.reconfigure(errors="surrogateescape")  # prints bytes that are no UTF-8 as they are
    return max(map(check_file, files))

if __name__ == "__main__":
    sys.exit(main())
