#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks proof certificates, without any code of the prover that wrote them.

  tools/verify_certificate.py FILE...


A certificate has a claim and the steps of its proof (docs/certificates.md). This program reads the claim, works out for
itself what is to be shown, and follows the steps. It takes nothing on faith but the lemmas, which are theorems in
proofs/Lemmas.v. Prints `proved: CLAIM (N steps)` per certificate, or `FILE:LINE: why it is refused`. Exit code: 0 all
claims are proved, 1 a certificate does not prove its claim, 2 a file holds no certificates.

Its parts, in the order in which to read them: certificate_proofs.py (polynomials, lemmas, steps), tiled_layouts.py
(what an index is, and the laws), formula_paths.py (claims about formulas), and this file.
"""
import sys

from certificate_proofs import Polynomial, Refused, refuse_unless
from formula_paths import check_paths
from tiled_layouts import LAWS, sequents_of

MAX_CHARACTERS = 2**28  # of a file
FIRST_LINE = "layoutcheck certificate 1"
PARTS = ("law", "layout", "over", "formula", "equals", "assume", "integer")  # of a claim


class Lines:
    """The lines of a file, which are taken one by one."""

    def __init__(self, text):
        if not text.startswith(FIRST_LINE) or text[-1] != "\n":
            raise ValueError("no certificate, or not a whole one")
        self.lines, self.number, self.steps = text.split("\n"), 0, 0

    def here(self):
        return self.lines[self.number]

    def is_at_end(self):
        return self.number == len(self.lines) - 1

    def take(self):
        refuse_unless(not self.is_at_end(), "the end of the file, expected more lines")
        self.number += 1
        return self.lines[self.number - 1]

    def expect(self, text):
        line = self.take()
        refuse_unless(line == text, f"'{line[:99]}', expected '{text}'")

    def take_words(self, first):
        """Takes a line that begins with the word, and returns its other words."""
        word, *words = self.take().split(" ")
        refuse_unless(word == first, f"'{word[:40]}', expected '{first}'")
        return words


def check_certificate(lines):
    """Checks one certificate and returns what it proves."""
    Polynomial.numbers.clear()
    Polynomial.work = lines.steps = 0
    lines.expect(FIRST_LINE)
    claim = {part: [] for part in PARTS}
    for part in PARTS:
        while lines.here().startswith(part + " ") and (part == "assume" or not claim[part]):
            claim[part].append(lines.take().partition(" ")[2])
    law, *texts = [f"{part} {text}" for part in PARTS for text in claim[part]] or [""]
    if law[4:] in LAWS and len(texts) == len(claim["layout"]) == 1:
        for sequent in sequents_of(law[4:], *claim["layout"]):
            lines.expect(f"sequent {sequent.part}")
            sequent.check(lines)
    else:
        refuse_unless(law == "law formula" and not claim["integer"], "expected a claim of certificates of version 1")
        check_paths(claim, lines)
    lines.expect("end")
    return f"proved: {' '.join([law, *texts]).replace('law ', '', 1).replace(' layout ', ' ', 1)} ({lines.steps} steps)"


def check_file(path):
    """Checks a file, prints the verdicts, and returns the exit code."""
    lines = None
    try:
        with open(path, encoding="utf-8", newline="\n") as file:
            lines = Lines(file.read(MAX_CHARACTERS))
        while not lines.is_at_end():
            print(check_certificate(lines))
        return 0
    except (Refused, RecursionError) as error:
        print(f"{path}:{lines.number}: {error if isinstance(error, Refused) else 'nested too deeply'}", file=sys.stderr)
        return 1
    except (OSError, ValueError) as error:  # UnicodeError is a ValueError
        print(f"{path}: {error}, expected a text file of certificates", file=sys.stderr)
        return 2


def main():
    files = sys.argv[1:]
    if not files or "--help" in files:
        print(__doc__)
        return 0 if files else 2
    return max(map(check_file, files))


if __name__ == "__main__":
    sys.exit(main())
