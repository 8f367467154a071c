#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests verify_certificate.py: its lemmas and operators, and certificates that are right, or wrong in one place."""
import contextlib
import io
import pathlib
import random
import re
import tempfile
import unittest

from certificate_steps import LEMMAS, Polynomial, Refused, at_most, below, compute, equal, polynomial, unknown
from verify_certificate import Lines, check_certificate, check_file

FIRST = "layoutcheck certificate 1\n"


def verdicts(text):
    """Returns what the checker says that it proved, or the exception with which it refuses."""
    try:
        lines, proved = Lines(text), []
        while not lines.is_at_end():
            proved.append(check_certificate(lines))
        return proved
    except (Refused, RecursionError, ValueError) as refusal:
        return refusal


BOUNDS = "law in-bounds\nlayout s8[N]{0}\nsequent every index\n"
FORMULA = "law formula\nlayout s8[N]{0}\nformula "
INJECTIVE = "law injective\nlayout s8[M]{0}\nformula "
BELOW = "law in-bounds\nlayout s8[M]{0}\nformula i0\nbelow "
DIFFERENT = "sequent every two indices\npath\n+\n+\ngoal 4\ngoal 5\ngoal 6\n"
WITHIN = "sequent every index\npath\n+\ngoal 3\ngoal 3\ngoal 2\n"
OWN = "law no-overflow\nlayout s8[N]{0}\nown i0\ninteger int64\npath\ngoal 2\ngoal 3 1/8*4\ngoal\n"
BITS = "law equals\nlayout ll{a:[1,2],b:[]} -> [4]\nequals ll{c:[(0,1),(1,0)],d:[]} -> [2,2]\n"
FRACTAL = ("sequent every index of the fractal layout\ngoal\nsequent allocation of the fractal layout\ngoal\n"
           "sequent N = 0\ngoal\ngoal\n")
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
    "common bits are not those of others": FORMULA + "i0 + (i0 & N) - (N & (i0 + 1))\npath\ncommon\ncommon\ngoal\n",
    "common bits are not at most a number below 0": FORMULA + "i0 + ((i0 - 9 & N) > i0 - 9)\npath\ncommon\n-\n"
    "lemma B1 i0 - 9 ; N\nby 2\ngoal 5\ngoal\n",
    "a mask is not of a power of two": FORMULA + "i0 + (i0 & N) - i0 mod (N + 1)\npath\ncommon\n+\n"
    "lemma B7 i0 ; N + 1 ; N\nby 1\nby\nby\ngoal 1\ngoal 4\n",
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
    "an index is in no value": "law injective\nlayout s8[M,N]{1,0}\nformula i0\npath\ngoal 11\n",
    "an index that is in no value": "law injective\nlayout s8[M,N]{1,0}\nformula i0\npath\ngoal 11\ngoal 11\n",
    "values that do not exist are compared": INJECTIVE + "i0 floordiv 0\npath\ngoal 6\n",
    "the assumption is for one point": INJECTIVE + "i0\nassume i0 < 3\npath\nY\ngoal 7\npath\nN\n",
    "a value is the other one at both points": INJECTIVE + "i0 - i0\npath\ngoal 6\n",
    "nothing bounds the indices": "law injective\nformula i0\npath\ngoal 3\n",
    "injective has another formula": INJECTIVE + "i0\nequals i0\npath\ngoal 6\n",
    "in-bounds has one goal": BELOW + "M\npath\ngoal 3\n",
    "the bound is missed by 1": BELOW + "M - 1\npath\ngoal 3\ngoal 2\n",
    "the value is below 0": BELOW.replace("i0", "i0 - 1") + "M\npath\ngoal 3\ngoal 2\n",
    "a list has one bound": BELOW.replace("i0", "i0, i0") + "M\npath\ngoal 3\ngoal 2\n",
    "in-bounds without a bound": BELOW.replace("below ", "equals ") + "M\npath\ngoal 3\ngoal 2\n",
    "strides overlap": "law injective\nlayout (4,5):(4,1)\nby strides\n",
    "a name may be negative": "law formula\nformula min(b,0)\nequals 0\nsigned b\npath\nY\ngoal 1 | 2\npath\nN\ngoal\n",
    "a size is negative": "law formula\nover i0 < M\nformula i0\nequals i0\nsigned M\npath\n+\ngoal 3\ngoal\n",
    "a negative name has no bound": "law formula\nformula b\nequals b\nsigned b\nassume b < 3\nby enumeration\n",
    "a stride is 0": "law injective\nlayout (4,2):(1,0)\nby strides\n",
    "a stride is below 0": "law in-bounds\nlayout (4,5):(5,-1)\nby signs\n",
    "strides leave a hole": "law onto\nlayout (4,5):(6,1)\nby reach\n",
    "the method is one of another law": "law onto\nlayout (4,5):(6,1)\nby strides\n",
    "no method": "law onto\nlayout (4,5):(5,1)\nby luck\n",
    "a method for names": "law injective\nlayout (M,5):(5,1)\nby strides\n",
    "strides overlap after a swizzle": "law injective\nlayout Sw<1,0,1> o 0 o (4,5):(4,1)\nby strides\n",
    "an offset is below 0 before a swizzle": "law injective\nlayout Sw<1,0,1> o 5 o (4,2):(-2,1)\nby strides\n",
    "a swizzle's bits are in its mask": "law injective\nlayout Sw<2,0,1> o 0 o (4,2):(1,4)\nby strides\n",
    "a swizzle's bits are too high": "law injective\nlayout Sw<2,30,31> o 0 o (4,2):(1,4)\nby strides\n",
    "an offset is below 0": "law in-bounds\nlayout 5 o (4,2):(-2,3)\nby signs\n",
    "a swizzle leaves a hole": "law onto\nlayout Sw<1,0,1> o 0 o 3:1\nby enumeration\n",
    "a swizzle leaves a hole within the reach": "law onto\nlayout Sw<1,0,1> o 0 o 3:1\nby reach\n",
    "an offset moves the block of a swizzle": "law onto\nlayout Sw<2,0,2> o 9 o (4,4):(1,4)\nby enumeration\n",
    "a swizzle before names": "law injective\nlayout Sw<1,0,1> o 0 o (M):(1)\n" + DIFFERENT,
    "an offset before names": "law injective\nlayout 1 o (M):(1)\n" + DIFFERENT,
    "a formula beside a swizzle": "law in-bounds\nlayout Sw<1,0,1> o 0 o 4:1\nformula i0\nbelow 4\nby enumeration\n",
    "images are not independent": "law injective\nlayout ll{a:[1,2],b:[3]} -> [4]\nby elimination\n",
    "images do not span all indices": "law onto\nlayout ll{a:[(1,0)],b:[(1,0)]} -> [2,2]\nby elimination\n",
    "an image is outside": "law onto\nlayout ll{a:[1,2]} -> [2]\nby elimination\n",
    "an output is no power of two": "law injective\nlayout ll{a:[1]} -> [3]\nby elimination\n",
    "two inputs have one name": "law injective\nlayout ll{a:[1],a:[2]} -> [4]\nby elimination\n",
    "two outputs have one name": "law injective\nlayout ll{a:[(1,1)]} -> [dim1:2,2]\nby elimination\n",
    "a law that is none of layouts in bits": "law inverse\nlayout ll{a:[1]} -> [2]\nby elimination\n",
    "a method that is none of layouts in bits": "law onto\nlayout ll{a:[1]} -> [2]\nby enumeration\n",
    "other images": BITS.replace("1,2", "2,1") + "by images\n",
    "images of another input": BITS.replace("a:[1,2],b:[]", "a:[1],b:[2]") + "by images\n",
    "an input without bits is missing": BITS.replace(",b:[]", "") + "by images\n",
    "equal layouts by elimination": BITS + "by elimination\n",
    "equal layouts are injective": BITS.replace("law equals", "law injective") + "by elimination\n",
    "equal layouts of which one is none": BITS.replace("c:", "c") + "by images\n",
    "equal layouts of which one is in strides": "law equals\nlayout ll{a:[1]} -> [2]\nequals 2:1\nby images\n",
    "a tiled layout equals one in bits": "law formula\nlayout s8[4]{0}\nequals ll{a:[1,2]} -> [4]\nby images\n",
    "equals is about one layout": "law equals\nlayout ll{a:[1]} -> [2]\nby images\n",
    "a formula beside a layout in bits": "law injective\nlayout ll{a:[1]} -> [2]\nformula i0\nby elimination\n",
    "a size is below 0": "law onto\nlayout (-2,-2):(1,2)\nby reach\n",
    "different offsets only": "law onto\nlayout (M):(1)\n" + DIFFERENT,
    "offsets in bounds only": "law onto\nlayout (M):(1)\n" + WITHIN,
    "a stride leaves holes": "law onto\nlayout (M):(2)\n" + DIFFERENT.replace("goal 6", "goal 1/2*6") + WITHIN,
    "another stride": "law injective\nlayout (M):(0)\n" + DIFFERENT,
    "a law that is none of strides": "law padding-minimal\nlayout (M):(1)\n" + DIFFERENT,
    "bounds that are not those of the layout":
        "law formula\nlayout (M):(2)\nover i0 < 2 * M\nformula i0 + i0\npath\n+\ngoal 3\ngoal\n",
    "an offset that is another": "law formula\nlayout (M):(2)\nformula i0\npath\n+\ngoal 3\ngoal\n",
    "two sources": FORMULA + "i0\nsource f.c\nsource f.c\npath\ngoal\n",
    "a source does not make a claim true": FORMULA + "i0 + 1\nsource f.c\npath\ngoal\n",
    "a layout that is no fractal": "law equals-hlo\nlayout s8[N]{0}\n",
    "a fractal is not shown to be the XLA layout": "law in-bounds\nlayout VectorLayout:s8[M,N]\nsequent every index\n"
    "goal 3\ngoal 2\n",
    "a fractal's formula is one of the XLA layout": "law formula\nlayout VectorLayout:s8[M,N]\nformula i0\npath\n"
    "goal\n",
    "a row of a fractal has no padding": "law formula\nlayout RowMajor:s4[1,1]\nformula i1\nby enumeration\n",
    "a row ends in a byte": "law equals-hlo\nlayout RowMajor:s4[1,N]\nsequent every index of the fractal layout\n"
    "goal\n",
    "a point is no right one": "law in-bounds\nover i0 < 4\nformula i0\nbelow 3\nby enumeration\n",
    "a point is the last one": "law formula\nformula x < 3\nequals 1\nassume x <= 3\nby enumeration\n",
    "an assumption is a list": "law formula\nformula x < 3\nequals 1\nassume x < 3, 1\nby enumeration\n",
    "points without a bound": "law formula\nover i0 < K\nformula i0\nequals i0\nby enumeration\n",
    "equal values show the outcomes that they rest on": "law injective\nover i0 < 10\nformula i0 < 5 ? i0 + 100 : 0\n"
    "path\n+\n+\n+\n-\nfalse 1 -1*5\n",
    "two blanks separate words": BOUNDS + "cut N -  1\nby 1\ngoal 3\ngoal 2\n",
    "two points are enumerated": "law injective\nover i0 < 3\nformula i0\nby enumeration\n",
    "the bytes of two elements are one": "law no-overflow\nlayout s4[M]{0:E(4)}\nformula i0\ninteger int32\npath\n"
    "goal 2\ngoal 3 1/4*4\n",
    "the sum is no part": "law no-overflow\nlayout s8[M]{0}\nformula i0 + 1\ninteger int32\npath\ngoal 2\n"
    "goal 3 1/8*4\n",
    "the sum passes the bytes": "law no-overflow\nlayout s8[M]{0}\nformula i0 + 2\ninteger int32\npath\ngoal 2\n"
    "goal 3 1/8*4\ngoal 2\ngoal 3 1/8*4\n",
    "the layout's own formula is another": "law no-overflow\nlayout s8[M]{0}\nown 0\ninteger int32\npath\ngoal\n",
    "a layout's own formula without a layout": "law no-overflow\nover i0 < 3\nown 0\ninteger int32\npath\n+\ngoal 2\n",
    "no claim": "law no-overflow\nover i0 < 3\nformula 0\npath\n+\ngoal 2\n",
    "a type of another law": "law formula\nformula 0\nequals 0\ninteger int32\npath\ngoal\n",
    "a sequent is missing": "law equals-mixed-radix\nlayout s8[N]{0}\nsequent every index\ngoal\n",
}
RIGHT = [
    BOUNDS + "goal 3\ngoal 2\n",
    "law injective\nlayout s8[N]{0}\nsequent every two indices\ngoal 6\n",
    FORMULA + "i0 < 5 ? i0 : 0 + i0\npath\nY\ngoal\npath\nN\ngoal\n",
    FORMULA + "i0 + (i0 & N) - (N & i0)\npath\ncommon\ncommon\ngoal\n",
    FORMULA + "i0 + ((i0 & N) > i0)\npath\ncommon\n-\nlemma B1 i0 ; N\nby 2\ngoal 5\ngoal\n",
    FORMULA + "i0\npath\nsplit N Y\ngoal\npath\nsplit N N\nfalse 1 4\n",
    INJECTIVE + "i0\npath\ngoal 6\n",
    OWN,
    "law injective\nlayout s8[M,N]{1,0}\nformula (i1, i0)\npath\ngoal 12\ngoal 11\n",
    INJECTIVE + "2 * i0\npath\ngoal 1/2*6\n",
    BELOW + "M\npath\ngoal 3\ngoal 2\n",
    "law onto\nlayout (M):(1)\n" + DIFFERENT + WITHIN,
    "law inverse\nlayout (M):(1)\n" + DIFFERENT,
    "law onto\nlayout (4,5):(5,1)\nby reach\n",
    "law injective\nlayout Sw<3,4,3> o _0 o (_8,_64):(_64,_1)\nby strides\n",
    "law in-bounds\nlayout 4 o (_2,3):(_-4,4)\nby signs\n",
    "law inverse\nlayout  S< 2,0,-2>o 3 o (2,4):(-3,8)\nby strides\n",
    "law in-bounds\nlayout Sw<1,0,61> o 9223372036854775807 o (2,1):(0,-1)\nby signs\n",
    "law in-bounds\nlayout 6 o (4,2):(-2,3)\nby signs\n",
    "law onto\nlayout -3 o (4,5):(4,-1)\nby reach\n",
    "law onto\nlayout Sw<2,0,2> o 16 o (4,4):(1,4)\nby enumeration\n",
    "law onto\nlayout Sw<1,0,1> o -5 o (0,3):(1,1)\nby enumeration\n",
    "law injective\nlayout ll{register:[(4,0)],lane0:[(0,1),(7,3)]} -> [rows:8,4]\nby elimination\n",
    "law onto\nlayout ll{row:[9,18,32],column:[1,2,4],twice:[1]} -> [64]\nby elimination\n",
    "law injective\nlayout ll{} -> []\nby elimination\n",
    "law onto\nlayout ll{a:[1]} -> [2]\nsource mma.m1\nby elimination\n",
    BITS + "by images\n",
    BOUNDS.replace("sequent", "source zN<1,1>:s8[1,N]\nsequent") + "goal 3\ngoal 2\n",
    OWN.replace("path", "source f.c\npath"),
    "law formula\nlayout (M):(2)\nformula i0 + i0\npath\n+\ngoal 3\ngoal\n",
    "law formula\nlayout (+M):(+2)\nformula i0 + i0\npath\n+\ngoal 3\ngoal\n",
    "law in-bounds\nlayout  s8 [ N ] { 0 : D(D) L(08)SC(0:1)(2) E(0) M( -1 ) }\nsequent every index\ngoal 3\ngoal 2\n",
    "law formula\nlayout s8[007]{0:T(08)}\nformula i0\nassume i0 < 7\nby enumeration\n",
    "law formula\nover i0 < K, i1 < 2\nformula i0 * 2 + i1\nequals i1 + i0 + i0\nassume 3 > K\nby enumeration\n",
    "law in-bounds\nover i0 < 4\nformula i0 / 2\nbelow 2\nassume i0 < 3 && x == 1 << 4\nby enumeration\n",
    FORMULA + "i0\nsource f.c: f(i0)\npath\ngoal\n",
    f"law in-bounds\nlayout VectorLayout:s8[M,N]\n{FRACTAL}sequent every index\ngoal 3\ngoal 2\n",
    f"law formula\nlayout VectorLayout:s8[M,N]\nformula i0\n{FRACTAL}path\ngoal\n",
    f"law equals-hlo\nlayout VectorLayout:s8[M,N]\n{FRACTAL}",
    "law no-overflow\nlayout s8[M]{0}\nformula i0 + 1\ninteger int32\npath\ngoal 2\ngoal 3 1/8*4\ngoal 2\n"
    "goal 3 1/8*4\n",
    "law no-overflow\nlayout s8[M]{0}\nown i0\ninteger int32:c++20\npath\ngoal 2\ngoal 3 1/8*4\ngoal\n",
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


# The statements that Coq proves, and their terms in Python.
ROOT = pathlib.Path(__file__).resolve().parent.parent
PROOFS = "".join((ROOT / "proofs" / f"{name}.v").read_text() for name in ("Lemmas", "Bits"))
LEMMA_OF_COQ = re.compile(r"^Lemma (\w+) ([\w ]+) :\s([^.]+)\.$", re.MULTILINE)


def evaluate_coq(text, values):
    for old, new in ((" / ", " // "), (" mod ", " % "), (r"land (\w+) (\w+)", r"(\1 & \2)"),
                     (r"\b[0-9]+", r"number(\g<0>)")):
        text = re.sub(old, new, text)
    return eval(text.strip(), {"number": polynomial}, values)


class CertificatesTest(unittest.TestCase):
    def test_lemmas_hold_for_small_integers(self):
        draw = random.Random(7)
        for name, (parameters, premises, conclusions) in LEMMAS.items():
            used = 0
            while used < 20:
                Polynomial.work = 0
                values = {parameter: polynomial(draw.randint(-1, 3)) for parameter in parameters}
                for kind, left, right in premises:  # an equation gives one of its parameters a value
                    if kind == "==" and left[0] == "name":
                        values[left[1]] = compute(right, values)
                facts = [compute(premise, values) for premise in premises]
                if not all(p.constant == 0 if is_zero else p.constant >= 0 for p, is_zero in facts):
                    continue
                used += 1
                for conclusion in conclusions:
                    fact, is_zero = compute(conclusion, values)
                    self.assertIsNotNone(fact.constant, (name, values))
                    self.assertTrue(fact.constant == 0 if is_zero else fact.constant >= 0, (name, values))

    def test_lemmas_are_those_that_coq_proves(self):
        relations = {"<=": at_most, "<": below, "=": equal}
        proved = []
        for name, parameters, statement in LEMMA_OF_COQ.findall(PROOFS):
            proved.append(name)
            values = {parameter: unknown(parameter) for parameter in parameters.split()}
            *premises, conclusions = statement.split("->")
            stated = []
            for side in (premises, conclusions.split("/\\")):
                stated.append([])
                for text in side:
                    left, relation, right = re.split("(<=|<|=)", text)
                    stated[-1].append(relations[relation](evaluate_coq(left, values), evaluate_coq(right, values)))
            self.assertIn(name, LEMMAS)
            known, *sides = LEMMAS[name]
            self.assertEqual(known, parameters.split(), name)
            used = [[compute(relation, values) for relation in side] for side in sides]
            self.assertEqual(used, stated, name)
        self.assertEqual(proved, [*LEMMAS])

    def test_operators_compute_as_in_c(self):
        for formula in ZEROS.replace("\n", ";").split(";"):
            self.assertIsInstance(verdicts(f"{FIRST}{FORMULA}i0 + ({formula})\npath\ngoal\nend\n"), list, formula)
            self.assertIsInstance(verdicts(f"{FIRST}{FORMULA}i0 + 1 + ({formula})\npath\ngoal\nend\n"), Exception)

    def test_wrong_certificates_are_refused(self):
        for why, text in WRONG.items():
            self.assertIsInstance(verdicts(f"{FIRST}{text}end\n"), Exception, why)

    def test_overflow_is_that_of_c(self):
        """Constants of a type need no step, and a goal that is wrong has none."""
        every = ("int32", "uint32", "int64", "int32:c++20", "uint32:c++20", "int64:c++20")
        signed, cpp = ("int32", "int64", "int32:c++20", "int64:c++20"), ("int32:c++20", "int64:c++20")
        long, not_int32 = ("int64", "int64:c++20"), ("uint32", "int64", "uint32:c++20", "int64:c++20")
        for formula, integers in {
                "2147483647": every, "2147483648": not_int32, "4294967296": long,
                "-2147483647 - 1": signed, "-2147483647 - 2": long, "0 - 1 + 1": signed,
                "2147483647 * 2 / 2": not_int32, "0 >> 31": every, "0 >> 32": long, "-1 << 0": cpp,
                "1 << 31": not_int32, "(-2147483647 - 1) % -1": long, "-2147483647 % -1": signed,
                "1 floordiv 0": (), "5 & ~1": every, "~1 & 5": every, "5 & (~1 & ~2)": signed,
                "5 & ~4294967296": long, "5 | ~1": signed, "5 & (0 ? 1 : ~1)": signed,
                "let y = ~1 in 5 & y": signed, "0 ? 4294967296 : 1": every, "min(1, 4294967296)": long,
                "4294967296 > 0 ? 0 : 1": long}.items():
            for integer in (*every, "int16", "uint64", "int32:c", "int32:", ""):
                claim = f"law no-overflow\nover i0 < 3\nformula {formula}\ninteger {integer}\n"
                proved = verdicts(f"{FIRST}{claim}path\n+\ngoal 2\nend\n")
                self.assertEqual(isinstance(proved, list), integer in integers, (formula, integer, proved))

    def test_right_certificates_are_accepted(self):
        texts = [f"{FIRST}{text}end\n" for text in RIGHT]
        for text in texts:
            self.assertIsInstance(verdicts(text), list, (text, verdicts(text)))
        self.assertEqual(len(verdicts("".join(texts))), len(RIGHT))
        for between in ("\n", " \n", "end\n"):
            self.assertIsInstance(verdicts(texts[0] + between + texts[1]), Exception)
            self.assertIsInstance(verdicts(texts[0] + between), Exception)

    def test_a_source_is_any_bytes(self):
        with tempfile.NamedTemporaryFile() as file:
            file.write(f"{FIRST}{OWN.partition('path')[0]}".encode() + b"source \xff.c: f(N)\n"
                       + f"path{OWN.partition('path')[2]}end\n".encode())
            file.flush()
            with contextlib.redirect_stdout(io.StringIO(newline="")):
                self.assertEqual(check_file(file.name), 0)

    def test_texts_that_no_prover_writes_end_in_time(self):
        head = FIRST + "law formula\nlayout f32[N]{0}\nformula "
        tail = "\npath\ngoal\nend\n"
        squares = "".join(f"let x{k} = x{k - 1} * x{k - 1} in " for k in range(1, 60))
        names = "\n".join(f"assume a{k} < 1" for k in range(1001))
        many = f"{FIRST}law formula\nformula 0\nequals 0\n{names}\nby enumeration\nend\n"
        self.assertIsInstance(verdicts(many), Exception)
        for formula in ("(" * 100_000, "-" * 100_000 + "i0", "i0" + "+ 1" * 100_000, "9" * 100_000,
                        f"let x0 = N in {squares}x59", f"let x0 = 9999 in {squares}x59",
                        f"let x0 = N + i0 in {squares}x59", "1 << " * 50 + "63", "[][0]",
                        "min(i0)", "int8(i0, 1)", "let 1 = 2 in i0", "\0", "\ud800", "0x", "00", "i0 i0", ""):
            self.assertIsInstance(verdicts(head + formula + tail), Exception, formula[:40])
        for layout in ("f32[M" + " " * 90_000 + "x]", "f32[N]{0:T" + "(1)" * 300_000 + "}", "s8[N]{0:E(8)E(8)}",
                       "f32[" + "N," * 3000 + "N]", "f32[N]{0:T" + "(N)" * 1000 + "}", "f32[N]{1}", "f32[N]{0,0}",
                       "f32[N]{0:T(0)}", "f3 2[N]{0}", "f32[N<=]{0}",
                       "f32[N]{0:T(8,*)}", "f33[N]{0}", "f32[N", "", "(3,4):(5,1)", "f32[-1]{0}", "f32[N]{0:T()}"):
            text = f"{FIRST}law in-bounds\nlayout {layout}\nsequent every index\ngoal 3\ngoal 2\nend\n"
            self.assertIsInstance(verdicts(text), Exception, layout[:40])


if __name__ == "__main__":
    unittest.main()
