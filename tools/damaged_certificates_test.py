#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests that verify_certificate.py refuses damaged certificates.

  tools/damaged_certificates_test.py LAYOUTCHECK [--mutants N] [--kernels] [FILE...]

LAYOUTCHECK is the program, which writes the certificates that are damaged here and says whether a claim is true. With
FILEs, these certificates are damaged instead, and with --kernels those of laws of two kernels, which need LLVM. Each certificate is damaged in all ways below, or in N of them, drawn
with a fixed seed. A damaged certificate must be refused, or must prove the claim that it then states, which is the old
one or one that the program proves. Prints how many were refused, and ends with exit code 0 or 1.
"""
import argparse
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unittest

from certificate_steps import LEMMAS
from verify_certificate import PARTS
from verify_certificate_test import FIRST, verdicts

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
    ["--formula", "(x ^ y) ^ (y | z)", "--equals", "(z & ~y) ^ x"],
    ["--formula", "(x ^ (x & 896) >> 3) & 127", "--equals", "(x & 127) ^ (x >> 7 & 7) << 4"],
    ["--formula", "(x | y << 4) < 256", "--equals", "1", "--assume", "x < 64", "--assume", "y < 16"],
    ["--formula", "(x + T - 1) & -T", "--equals", "(x + T - 1) / T * T", "--assume", "T > 0", "--assume",
     "!(T - 1 & T)"],
    ["f32[M,N]{1,0}", "--formula", "i0 * (N < 5 ? min(N, 5) : N) + (i1 & -8) + (i1 & 7)"],
    ["f32[M,N]{1,0:T(8,128)}", "--formula", "i0 / 8 * (N * 8) + i1 / 128 * 1024 + i0 % 8 * 128 + i1 % 128", "--assume",
     "N % 128 == 0"],
    ["--formula", "x ^ x >> 1", "--equals", "[0, 1, 3, 2, 6, 7, 5, 4][x]", "--assume", "x < 8"],
    ["--formula", "(i0 * 4 + i1 % 4, i1 / 4)", "--over", "i0 < M, i1 < 8", "--law", "injective"],
    ["--formula", "i0 < 5 ? i0 : i0 + K", "--over", "i0 < M", "--law", "injective", "--assume", "K < 9"],
    ["--formula", "i0 / 8 * N * 8 + i1 * 8 + i0 % 8", "--over", "i0 < M, i1 < N", "--law", "in-bounds", "--below",
     "(M + 7) / 8 * 8 * N"],
    ["f32[M,N]{1,0:T(8,128)}", "--integers", "int32"],
    ["s4[M]{0:T(4)E(16)}", "--integers", "uint32:c++20"],
    ["--formula", "(i0 - 9) % -1 - (i0 << 1) + (i0 & ~(i0 & 7))", "--over", "i0 < M", "--integers", "int64", "--assume",
     "M < 9 << 40"],
    ["((8,M),N):((N,8*N),1)", "--law", "onto"],
    ["((M,2),N):((1,M),2*M)", "--law", "in-bounds"],
    ["(M,N):(N,1)", "--formula", "i0 * N + i1"],
    ["(4,5):(5,1)", "--law", "injective"],
    ["(4,5):(-4,1)", "--law", "onto"],
    ["Sw<2,0,3> o 0 o (8,8):(8,1)", "--law", "onto"],
    ["Sw<2,0,-2> o 3 o (2,4):(-3,8)", "--law", "inverse"],
    ["Sw<3,4,3> o 0 o (8,64):(64,1)", "--law", "injective"],
    ["6 o (4,2):(-2,3)", "--law", "in-bounds"],
    ["ll{register:[(4,0)],lane:[(0,1),(7,3)]} -> [8,4]", "--law", "injective"],
    ["ll{row:[9,18,32],column:[1,2,4]} -> [64]", "--law", "onto"],
    ["ll{row:[9,18,32],column:[1,2,4]} -> [64]", "--equals", "Sw<2,0,3> o 0 o (8,8):(8,1)"],
    ["mma.m16n8k16.f16.A", "--law", "injective"],
    ["((),4):((),1)", "--law", "onto"],
    ["zN:f16[M,N]", "--law", "equals-hlo"],
    ["NC1HWC0:f16[N,C,H,W]", "--law", "injective"],
    ["nZ:f32[20,N]", "--law", "injective"],
    ["RowMajor:s4[M,N]", "--formula", "i0 * ((N + 1) / 2 * 2) + i1"],
]
KERNELS = [
    ["kernels.cu", "--function", "transpose", "--array", "in=f32[M,N]{1,0}", "--array", "out=f32[M,N]{0,1}", "--args",
     "in,out,M,N", "--grid", "(N+31)/32, (M+7)/8", "--block", "32,8", "--assume", "M<=524280"],
    ["kernels.cu", "--function", "copy_float4", "--array", "in=f32[N]{0}", "--array", "out=f32[N]{0}", "--args",
     "in,out,N", "--grid", "N/4 ceildiv 256", "--block", "256", "--assume", "N%4==0"],
]


def claim_of(text):
    """Returns the lines of the claim of a certificate."""
    return [line for line in text.split("\n") if line.partition(" ")[0] in ("law", *PARTS)]


def is_true(layoutcheck, claim):
    """Returns true if the program proves the claim, or says that it is about nothing."""
    arguments = []
    for line in claim:
        part, _, text = line.partition(" ")
        if part == "layout":
            arguments.append(text)
        elif part not in ("law", "source") or part == "law" and text not in ("formula", "no-overflow", "equals"):
            arguments += [{"own": "--formula", "integer": "--integers"}.get(part, f"--{part}"), text]
    run = subprocess.run([layoutcheck, "prove", *arguments], capture_output=True, text=True, check=False)
    if claim[0] == "law no-overflow" and not any(line.startswith("own ") for line in claim):
        # The formula need not be the layout's index, which the program asks, too.
        return bool(re.search("^ *no-overflow +proved", run.stdout, re.M)) or "there is nothing to prove" in run.stderr
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
            for other, (parameters, *_) in LEMMAS.items():
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


def certificates_in(text):
    """Returns the certificates of a file."""
    return [FIRST + one for one in text.split(FIRST)[1:]]


def certificates_of(layoutcheck, claims):
    """Returns the certificates that the program writes for these arguments."""
    texts = []
    for claim in claims:
        with tempfile.NamedTemporaryFile(mode="r", suffix=".cert") as file:
            run = subprocess.run([layoutcheck, *claim, "--certificate", file.name], capture_output=True, text=True,
                                 check=False)
            assert run.returncode == 0, (claim, run.stdout, run.stderr)
            texts += certificates_in(file.read())
    return texts


def kernel_claims():
    """Returns the arguments that ask each kernel of KERNELS."""
    # A certificate has the path of the file, and damage is drawn by its bytes: a relative path makes all machines draw alike.
    folder = os.path.relpath(pathlib.Path(__file__).resolve().parent.parent / "corpus" / "code")
    return [["prove-kernel", f"{folder}/{file}", "--max-bytes", "2147483647", *rest] for file, *rest in KERNELS]


class DamagedCertificatesTest(unittest.TestCase):
    def test_damaged_certificates_are_refused_or_true(self):
        claims = kernel_claims() if OPTIONS.kernels else [["prove", *claim] for claim in CLAIMS]
        texts = CERTIFICATES or certificates_of(LAYOUTCHECK, claims)
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
    PARSER.add_argument("--kernels", action="store_true", help="damage certificates of kernels")
    PARSER.add_argument("--mutants", type=int, default=0, help="of each certificate; 0 for all")
    OPTIONS = PARSER.parse_intermixed_args()
    LAYOUTCHECK, MUTANTS, CERTIFICATES = OPTIONS.layoutcheck, OPTIONS.mutants, []
    for PATH in OPTIONS.files:
        with open(PATH, encoding="utf-8") as FILE:
            CERTIFICATES += certificates_in(FILE.read())
    unittest.main(argv=sys.argv[:1])
