#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests verify_certificate.py: its definitions against the program, and that it refuses damaged certificates.

  tools/verify_certificate_test.py LAYOUTCHECK [--mutants N] [FILE...]

LAYOUTCHECK is the program, which writes the certificates that are damaged here and says whether a claim is true. With
FILEs, these certificates are damaged instead. Each certificate is damaged in all ways below, or in N of them, drawn
with a fixed seed. A damaged certificate must be refused, or must prove the claim that it then states, which is the old
one or one that the program proves. Prints how many were refused, and ends with exit code 0 or 1.
"""
import argparse
import json
import random
import re
import subprocess
import sys
import tempfile
import unittest

import certificate_proofs
import tiled_layouts
import verify_certificate as checker

CLAIMS = [  # arguments of `layoutcheck prove`
    ["f32[M,N]{1,0:T(8,128)}", "--law", "in-bounds"],
    ["f32[M,N]{1,0:T(8,128)}", "--law", "injective"],
    ["bf16[M,N]{0,1:T(P,Q)(2,1)}", "--law", "inverse"],
    ["s8[A,B,C]{2,0,1:T(*,4)}", "--law", "equals-mixed-radix"],
    ["s8[A,B,C]{2,0,1:T(*,4)}", "--law", "equals-pad-reshape-transpose"],
    ["f32[N]{0:T(4,8)}", "--law", "onto-padded-box"],
    ["f32[N]{0:T(4)(1,1,2)}", "--law", "onto-padded-box"],
    ["f32[M,N]{1,0:T(8,128)}", "--law", "padding-minimal"],
    ["f32[M,0]{1,0:T(2,2)}", "--law", "inverse"],
    ["f32[N]{0:T(2,4)}", "--law", "inverse"],
    ["f32[M,N]{1,0:T(8,128)}", "--formula",
     "((i0 / 8) * ((N + 127) / 128) + i1 / 128) * 1024 + (i0 % 8) * 128 + i1 % 128"],
    ["f32[M,N]{1,0}", "--formula", "i0 * (N < 5 ? min(N, 5) : N) + (i1 & -8) + (i1 & 7)"],
    ["f32[M,N]{1,0:T(8,128)}", "--formula", "i0 / 8 * (N * 8) + i1 / 128 * 1024 + i0 % 8 * 128 + i1 % 128", "--assume",
     "N % 128 == 0"],
]


def verdicts(text):
    """Returns what the checker says that it proved, or the exception with which it refuses."""
    try:
        lines, proved = checker.Lines(text), []
        while not lines.is_at_end():
            proved.append(checker.check_certificate(lines))
        return proved
    except (checker.Refused, RecursionError, ValueError) as refusal:
        return refusal


def claim_of(text):
    """Returns the lines of the claim of a certificate."""
    return [line for line in text.split("\n") if line.partition(" ")[0] in checker.PARTS]


def is_true(layoutcheck, claim):
    """Returns true if the program proves the claim, or says that it is about nothing."""
    arguments = []
    for line in claim:
        part, _, text = line.partition(" ")
        if part == "layout":
            arguments.append(text)
        elif part != "law" or text != "formula":
            arguments += [f"--{part}", text]
    run = subprocess.run([layoutcheck, "prove", *arguments], capture_output=True, text=True, check=False)
    return run.returncode == 0 or "there is nothing to prove" in run.stderr


def mutants(text, others, draw):
    """Yields (kind of damage, damaged text)."""
    lines = text.split("\n")[:-1]

    def joined(changed):
        return "\n".join(changed) + "\n"

    for number in re.finditer("[0-9]+", text):
        for other in (int(number[0]) + 1, int(number[0]) - 1):
            yield "number", f"{text[:number.start()]}{other}{text[number.end():]}"
    for _ in lines:
        at, character = draw.randrange(len(text)), draw.choice(["", *" \n|;*/+-<=([{,!?:&~019aNx_\0\u00e4"])
        yield "character", text[:at] + character + text[at + draw.randint(0, 1):]
    for k, line in enumerate(lines):
        before, after = lines[:k], lines[k + 1:]
        yield "line removed", joined(before + after)
        yield "line repeated", joined(before + [line, line] + after)
        for other in {min(k + 1, len(lines) - 1), draw.randrange(len(lines))} - {k}:
            swapped = list(lines)
            swapped[k], swapped[other] = swapped[other], swapped[k]
            yield "lines swapped", joined(swapped)
        if line in "+-YN=":
            for other in sorted({*"+-YN=AZ.", "fit", "mask left"} - {line}):
                yield "outcome", joined(before + [other] + after)
        if line == "path" or line.startswith("sequent "):
            next_case = re.compile("path|sequent .*|end")
            end = next(n for n in range(k + 1, len(lines)) if next_case.fullmatch(lines[n]))
            yield "case removed", joined(before + lines[end:])
        if line.startswith("lemma "):
            _, name, arguments = line.split(" ", 2)
            values = arguments.split(" ; ")
            for n in range(len(values)):
                for changed in (values[n - 1], f"{values[n]} + 1", "0"):
                    other_values = " ; ".join(values[:n] + [changed] + values[n + 1:])
                    yield "argument", joined(before + [f"lemma {name} {other_values}"] + after)
            for other, (parameters, *_) in certificate_proofs.LEMMAS.items():
                if other != name and len(parameters) == len(values):
                    yield "lemma", joined(before + [f"lemma {other} {arguments}"] + after)
        for old, new in (("*", " + "), (" + ", " - "), ("floordiv", "mod"), ("mod", "floordiv"), ("by ", "by -1*"),
                         ("<", "<=")):
            if old in line:
                yield "operator", joined(before + [line.replace(old, new, 1)] + after)
    body = text.index("\n", text.index(claim_of(text)[-1])) + 1
    for other in others:
        yield "claim", joined([lines[0], *claim_of(other)]) + text[body:]


class Damage:
    """Counts what became of damaged certificates."""

    def __init__(self, layoutcheck, count):
        self.layoutcheck, self.count, self.draw = layoutcheck, count, random.Random(19)
        self.refused, self.same, self.true, self.wrong = {}, {}, {}, []

    def try_all(self, text, others):
        original = claim_of(text)
        tried = list(mutants(text, others, self.draw))
        if self.count and self.count < len(tried):
            tried = self.draw.sample(tried, self.count)
        for kind, damaged in tried:
            if damaged == text:
                continue
            proved = verdicts(damaged)
            claim = claim_of(damaged)
            if isinstance(proved, Exception):
                where = self.refused
            elif len(proved) == 1 and proved[0].startswith(self.said(claim)) and claim == original:
                where = self.same
            elif len(proved) == 1 and proved[0].startswith(self.said(claim)) and is_true(self.layoutcheck, claim):
                where = self.true
            else:
                where = {}
                self.wrong.append((kind, proved, damaged))
            where[kind] = where.get(kind, 0) + 1

    @staticmethod
    def said(claim):
        """Returns the words with which the checker states the claim."""
        words = (line.partition(" ")[2] if line.startswith(("law ", "layout ")) else line for line in claim)
        return f"proved: {' '.join(words)} ("

    def report(self):
        for kind in sorted({*self.refused, *self.same, *self.true}):
            print(f"{kind:14} {self.refused.get(kind, 0):6} refused, {self.same.get(kind, 0):5} prove the same claim, "
                  f"{self.true.get(kind, 0):3} another true one")
        total = sum(sum(counts.values()) for counts in (self.refused, self.same, self.true)) + len(self.wrong)
        print(f"{total} mutants, {len(self.wrong)} accepted wrongly")


def certificates_of(layoutcheck):
    """Returns the certificates that the program writes for CLAIMS."""
    texts = []
    for claim in CLAIMS:
        with tempfile.NamedTemporaryFile(mode="r", suffix=".cert") as file:
            run = subprocess.run([layoutcheck, "prove", *claim, "--certificate", file.name], capture_output=True,
                                 text=True, check=False)
            assert run.returncode == 0, (claim, run.stdout, run.stderr)
            texts.append(file.read())
    return texts


def random_layout(draw):
    """Returns the text of a layout with names, the same with numbers, and the values of the names."""
    values = {}

    def size(least, most):
        value = draw.randint(least, most)
        if draw.random() < 0.5:
            return str(value), str(value)
        values[f"N{len(values)}"] = value
        return f"N{len(values) - 1}", str(value)

    rank = draw.randint(0, 4)
    dimensions = [size(1, 9) for _ in range(rank)]
    order = draw.sample(range(rank), rank)
    tiles = []
    for _ in range(draw.randint(0, 3)):
        entries = [("*", "*") if draw.random() < 0.25 else size(1, 4) for _ in range(draw.randint(0, 3))]
        tiles.append([*entries, size(1, 4)])
    texts = []
    for k in (0, 1):
        tiling = "".join(f"({','.join(entry[k] for entry in tile)})" for tile in tiles)
        tiling = f":T{tiling}" if tiling else ""
        layout = f"{{{','.join(map(str, order))}{tiling}}}" if rank or tiling else ""
        texts.append(f"s32[{','.join(dimension[k] for dimension in dimensions)}]{layout}")
    return *texts, values


def value_of(number, values):
    """Returns the value of a polynomial if its variables have these values."""
    if isinstance(number, int):
        return number
    keys = list(checker.Polynomial.numbers)

    def value_of_unknown(key):
        if isinstance(key, str):
            return values[key]
        a, b = (value_of(part, values) for part in key[1:])
        return a // b if key[0] == "floordiv" else a % b

    total = 0
    for factors, coefficient in number.items():
        for factor in factors:
            coefficient *= value_of_unknown(keys[factor])
        total += coefficient
    return total


class DefinitionsTest(unittest.TestCase):
    def test_the_program_computes_the_same(self):
        draw = random.Random(5)
        for _ in range(LAYOUTS):
            text, numbers, values = random_layout(draw)
            checker.Polynomial.numbers.clear()
            checker.Polynomial.work = 0
            sequent, layout, chain, elements = tiled_layouts.start("", text)
            sizes = [value_of(size, values) for size in layout.dimensions]
            index = [draw.randrange(size) for size in sizes]
            variables = [sequent.new_variable(f"i{d}") for d in range(len(index))]
            at = {**values, **{f"i{d}": i for d, i in enumerate(index)}}
            place = value_of(tiled_layouts.closed_formula(layout, variables)[0], at)
            self.assertEqual(value_of(tiled_layouts.pad_reshape_transpose(layout, variables), at), place, text)
            self.assertEqual(value_of(chain.place(variables), at), place, text)
            run = subprocess.run([LAYOUTCHECK, "index", numbers, ",".join(map(str, index)) or "()", "--json"],
                                 capture_output=True, text=True, check=True)
            expected = json.loads(run.stdout)
            self.assertEqual(place, expected["offset"], numbers)
            self.assertEqual(value_of(elements, at), expected["padded_elements"], numbers)
            at["place"] = draw.randrange(value_of(elements, at))
            returned, conditions = chain.inverse(sequent.new_variable("place"))
            is_element = all(value_of(condition, at) >= 0 for condition, _ in conditions)
            run = subprocess.run([LAYOUTCHECK, "coord", numbers, str(at["place"]), "--json"], capture_output=True,
                                 text=True, check=True)
            found = [value_of(digit, at) for digit in returned] if is_element else None
            self.assertEqual(found, json.loads(run.stdout)["coordinate"], numbers)


FIRST = "layoutcheck certificate 1\n"
BOUNDS = "law in-bounds\nlayout s8[N]{0}\nsequent every index\n"
FORMULA = "law formula\nlayout s8[N]{0}\nformula "
# Certificates without their last line that are wrong in one place each, by the reason why.
WRONG = {
    "a multiplier of an inequality is negative": BOUNDS + "goal 1 -1*2\ngoal 2\n",
    "an inequality is taken for the equation": FORMULA + "i0 + i0\npath\ngoal 2\n",
    "the sequent has another name": BOUNDS.replace("every index", "every two indices") + "goal 3\ngoal 2\n",
    "a dimension is at least 0 only": "law padding-minimal\nlayout s8[N]{0}\nsequent every tile\ncut N - 1\nby 1\n",
    "an atom has the name of another": BOUNDS + "atom !1 mod i0 ; 2\natom !1 mod i0 ; 3\ngoal 3\ngoal 2\n",
    "a value is not the one of its line": FORMULA + "i0 == 5 ? i0 : 7\npath\n=\ngoal\n",
    "a mask is not the one of its line": FORMULA + "i0 + (i0 & N)\npath\nmask right\n= 0\ngoal\n",
    "operands have common bits": FORMULA + "i0 + (i0 & N)\npath\ndisjoint right 3\ngoal\n",
    "a value does not fit": FORMULA + "int8(i0)\npath\nfit\ngoal\n",
    "a path with no value needs no goal": FORMULA + "i0 floordiv 0\npath\n",
    "a fact is used that is not there": BOUNDS + "goal 3\ngoal 4\n",
    "an inequality does not show an equation": "law injective\nlayout s8[N]{0}\nsequent every two indices\ngoal 2\n",
    "the sum exceeds the goal by 1": FORMULA + "i0 < N + 1 ? i0 : 0\npath\n-\ngoal 3\nfalse 3\n",
    "a decision has one side only": FORMULA + "i0 < 5 ? i0 : 0\npath\nY\ngoal\n",
    "the first path decides N": FORMULA + "i0 < 5 ? 0 : i0\npath\nN\ngoal\n",
    "an outcome that is none": FORMULA + "i0 < 0 ? 7 : i0\npath\nA\ngoal 2\ngoal\n",
    "another outcome that is none": FORMULA + "i0 < 5 ? 0 : i0\npath\n=\ngoal\n",
    "a shift by a number that is too large": FORMULA + "i0 << N\npath\nY\nY\n= 999999999999\ngoal\n",
    "a dimension has the name of an index": "law formula\nlayout s8[i0]{0}\nformula 7\npath\nfalse 3\n",
    "an index has two bounds": "law formula\nover i0 < 5, i0 < 0\nformula i0\nequals 0\npath\n+\n+\nfalse 1 2\n",
    "a path after the last": FORMULA + "i0\npath\ngoal\npath\ngoal\n",
    "the sides of a split differ": FORMULA + "i0\npath\nsplit N Y\ngoal\npath\nsplit N + 1 N\ngoal\n",
    "an atom of a split is another in the next path":
        FORMULA + "i0\npath\natom !1 mod N ; 2\nsplit !1 Y\ngoal\npath\natom !1 mod N ; 3\nsplit !1 N\ngoal\n",
    "a path with no value is said to be reached": FORMULA + "i0 floordiv 0\npath\ngoal\n",
    "no formula": "law formula\nlayout s8[N]{0}\npath\ngoal\n",
    "nothing to compare with": "law formula\nover i0 < N\nformula i0\npath\n+\ngoal\n",
    "a law that is none": "law out-of-bounds\nlayout s8[N]{0}\nsequent every index\ngoal 3\ngoal 2\n",
    "a premise is not shown": BOUNDS + "lemma K11 N ; i0\nby 1\nby 2\ngoal 3\ngoal 2\n",
    "a cut is not shown": BOUNDS + "cut N - 2\nby 1\ngoal 3\ngoal 2\n",
    "an atom has a name of the claim": BOUNDS + "atom N floordiv i0 ; 2\ngoal 3\ngoal 2\n",
    "the claim is false": FORMULA + "i0 + 1\npath\ngoal\n",
    "a sequent is missing": "law equals-mixed-radix\nlayout s8[N]{0}\nsequent every index\ngoal\n",
}
RIGHT = [
    BOUNDS + "goal 3\ngoal 2\n",
    "law injective\nlayout s8[N]{0}\nsequent every two indices\ngoal 6\n",
    FORMULA + "i0 < 5 ? i0 : 0 + i0\npath\nY\ngoal\npath\nN\ngoal\n",
    FORMULA + "i0\npath\nsplit N Y\ngoal\npath\nsplit N N\nfalse 1 4\n",
    "law in-bounds\nlayout s8[offset,x9]{1,0}\nsequent every index\nlemma K7 i0 ; offset ; i1 ; x9\nby 4\n"
    "by 5\nby 6\nlemma K6 i0 ; i1 ; x9\nby 3\nby 5\nby 6\ngoal 7\ngoal 8\n",
]


# Formulas that are 0.
ZEROS = """-7 / 2 + 3; 7 / -2 + 3; -7 / -2 - 3; -7 % 4 + 3; 7 % -4 - 3; -7 floordiv 2 + 4; -7 mod 4 - 1
-7 ceildiv 2 + 3
7 ceildiv 2 - 4; (1 << 5) - 32; (-9 >> 1) + 5; (12 & 10) - 8; (12 | 10) - 14; (12 ^ 10) - 6; (-12 & 10) - 0
(-12 & -10) + 12; (-12 | 10) + 2; (-12 ^ 10) + 2; ~5 + 6; int8(200) + 56; int16(-32769) - 32767; uint8(-1) - 255
uint64(-1) - 0xffffFFFFffffFFFF; [4, 5, 6][1] - 5; min(3, 4) - 3; max(3, 4) - 4; (3 < 4) - 1; 3 > 3
(3 >= 3) - 1; 4 <= 3; (3 == 3) - 1; 3 != 3; !3; !0 - 1; (1 || 1 / 0) - 1; 0 && 1 / 0; (0 ? 1 / 0 : 5) - 5
let x = 2 in x * x - 4; (1 | 2 == 3) - 1; (6 & 3 << 1) - 6; 2 * 3 - 7 + 1; (1 ? 0 : 1 ? 1 : 1); 10 - 4 - 6
(2 - 3 * 2 << 1) + 8; 1 + 2 * 3 % 4 - 3; (5 & 3 | 8 ^ 12) - 5; - - 3 - +3"""


class CertificatesTest(unittest.TestCase):
    def test_lemmas_hold_for_small_integers(self):
        draw = random.Random(7)
        for name, (parameters, premises, conclusions) in certificate_proofs.LEMMAS.items():
            used = 0
            while used < 20:
                checker.Polynomial.work = 0
                values = {parameter: certificate_proofs.polynomial(draw.randint(-1, 3)) for parameter in parameters}
                for kind, left, right in premises:  # an equation gives one of its parameters a value
                    if kind == "==" and left[0] == "name":
                        values[left[1]] = certificate_proofs.compute(right, values)
                facts = [certificate_proofs.compute(premise, values) for premise in premises]
                if not all(p.constant == 0 if is_zero else p.constant >= 0 for p, is_zero in facts):
                    continue
                used += 1
                for conclusion in conclusions:
                    fact, is_zero = certificate_proofs.compute(conclusion, values)
                    self.assertIsNotNone(fact.constant, (name, values))
                    self.assertTrue(fact.constant == 0 if is_zero else fact.constant >= 0, (name, values))

    def test_operators_compute_as_in_c(self):
        for formula in ZEROS.replace("\n", ";").split(";"):
            self.assertIsInstance(verdicts(f"{FIRST}{FORMULA}i0 + ({formula})\npath\ngoal\nend\n"), list, formula)
            self.assertIsInstance(verdicts(f"{FIRST}{FORMULA}i0 + 1 + ({formula})\npath\ngoal\nend\n"), Exception)

    def test_wrong_certificates_are_refused(self):
        for why, text in WRONG.items():
            self.assertIsInstance(verdicts(f"{FIRST}{text}end\n"), Exception, why)

    def test_right_certificates_are_accepted(self):
        texts = [f"{FIRST}{text}end\n" for text in RIGHT]
        for text in texts:
            self.assertIsInstance(verdicts(text), list, (text, verdicts(text)))
        self.assertEqual(len(verdicts("".join(texts))), len(RIGHT))

    def test_texts_that_no_prover_writes_end_in_time(self):
        head = FIRST + "law formula\nlayout f32[N]{0}\nformula "
        tail = "\npath\ngoal\nend\n"
        squares = "".join(f"let x{k} = x{k - 1} * x{k - 1} in " for k in range(1, 60))
        for formula in ("(" * 100_000, "-" * 100_000 + "i0", "i0" + "+ 1" * 100_000, "9" * 100_000,
                        f"let x0 = N in {squares}x59", f"let x0 = 9999 in {squares}x59",
                        f"let x0 = N + i0 in {squares}x59", "1 << " * 50 + "63", "[][0]",
                        "min(i0)", "int8(i0, 1)", "let 1 = 2 in i0", "\0", "\ud800", "0x", "00", "i0 i0", ""):
            self.assertIsInstance(verdicts(head + formula + tail), Exception, formula[:40])
        for layout in ("f32[" + "N," * 3000 + "N]", "f32[N]{0:T" + "(N)" * 1000 + "}", "f32[N]{1}", "f32[N]{0,0}",
                       "f32[N]{0:T(0)}", "f3 2[N]{0}", "f32[N<=]{0}",
                       "f32[N]{0:T(8,*)}", "f33[N]{0}", "f32[N", "", "(3,4):(5,1)", "f32[-1]{0}", "f32[N]{0:T()}"):
            text = f"{FIRST}law in-bounds\nlayout {layout}\nsequent every index\ngoal 3\ngoal 2\nend\n"
            self.assertIsInstance(verdicts(text), Exception, layout[:40])

    def test_damaged_certificates_are_refused_or_true(self):
        texts = CERTIFICATES or certificates_of(LAYOUTCHECK)
        damage = Damage(LAYOUTCHECK, MUTANTS)
        for text in texts:
            self.assertIsInstance(verdicts(text), list, (claim_of(text), verdicts(text)))
            damage.try_all(text, damage.draw.sample(texts, min(4, len(texts))))
        damage.report()
        for kind, proved, damaged in damage.wrong[:3]:
            print(f"{kind}: accepted as {proved}\n{damaged}")
        self.assertFalse(damage.wrong)


if __name__ == "__main__":
    PARSER = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    PARSER.add_argument("layoutcheck")
    PARSER.add_argument("files", nargs="*")
    PARSER.add_argument("--mutants", type=int, default=0, help="of each certificate; 0 for all")
    PARSER.add_argument("--layouts", type=int, default=40, help="random layouts on which the definitions are compared")
    OPTIONS = PARSER.parse_intermixed_args()
    LAYOUTCHECK, MUTANTS, LAYOUTS, CERTIFICATES = OPTIONS.layoutcheck, OPTIONS.mutants, OPTIONS.layouts, []
    for PATH in OPTIONS.files:
        with open(PATH, encoding="utf-8") as FILE:
            CERTIFICATES += [FIRST + TEXT for TEXT in FILE.read().split(FIRST)[1:]]
    unittest.main(argv=sys.argv[:1])
