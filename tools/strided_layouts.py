# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Defines layouts of the form shape:stride, and checks claims about them.

A layout such as (M,N):(N,1) or ((4,2),N):((1,8),16) has one index per mode, i0, i1, ..., at least 0 and below the
product of the mode's integers. A nested mode splits its index, first integer fastest. The offset is the sum of the
parts times their strides. Where a claim needs steps, it is one about the formula of the offset. Before a layout of
numbers there may be a swizzle, an offset K, or both: Sw<B,M,S> o K o (8,64):(64,1).
"""
import re
from functools import reduce
from math import prod

from certificate_steps import MAX_POINTS, MAX_SIZES, Parser, expect, names_in
from formula_claims import FormulaClaim

PREFIX = r" (?:Sw?< ([0-9]{1,9}) , ([0-9]{1,9}) , (-?[0-9]{1,9}) > o )?(?:_?(-?[0-9]{1,19}) o )?(.*)"

class StridedLayout:
    """The bounds of the indices, the offset and the number of elements as expressions; and, if all integers are
    numbers, the list of pairs (size, stride), which is None otherwise. `swizzle` is [B, M, S] or None, `start` is K."""
    def __init__(self, text):
        *swizzle, start, text = re.fullmatch(PREFIX.replace(" ", "[ \t\r]*"), text).groups()  # any blanks
        self.is_composed = bool(swizzle[0] or start)
        self.swizzle, self.start = [int(n) for n in swizzle] if swizzle[0] else None, int(start or 0)
        bits, base, shift = self.swizzle or (0, 0, 0)
        expect(bits <= abs(shift) and bits + base + abs(shift) <= 62, "|S| >= B and M + B + |S| <= 62 in a swizzle")
        self.parser = Parser(re.sub(r"((?:^|[(,:])[ \t\r]*)_(?=-?[0-9])", r"\1", text))  # CuTe's _4 is 4
        shape = self.integers()
        self.parser.need(self.parser.take(":"), "':'")
        stride = self.integers()
        self.parser.need(self.parser.take(""), "the end of the layout")
        expect([at for at, _ in shape] == [at for at, _ in stride] and len(shape) <= MAX_SIZES,
               "a shape and a stride of the same structure")
        modes, sizes, strides = [at[:1] for at, _ in shape], [size for _, size in shape], [step for _, step in stride]
        expect(not any(re.fullmatch("[ijd][0-9]+", name) for integer in sizes + strides for name in names_in(integer)),
               "other names than i0, j0 or d0")
        numbers = [e[1] if e[0] == "number" else -e[1][1] if e[0] == "unary -" and e[1][0] == "number" else None
                   for e in sizes + strides]
        expect(all(number is None or number >= 0 for number in numbers[:len(sizes)]), "sizes of at least 0")
        self.leaves = None if None in numbers else [*zip(numbers, numbers[len(sizes):])]
        self.size, self.over, parts = multiplied(sizes), [], []
        for k, (mode, size, step) in enumerate(zip(modes, sizes, strides)):
            index = digit = ("name", f"i{(*mode, 0)[0]}")
            first, is_last = modes.index(mode), modes[k + 1:k + 2] != [mode]
            before = multiplied(sizes[first:k])
            digit = digit if before == ("number", 1) else ("floordiv", digit, before)
            digit = digit if is_last else ("mod", digit, size)
            parts += [digit if step == ("number", 1) else ("*", digit, step)] * (step != ("number", 0))
            self.over += [("<", index, multiplied(sizes[first:k + 1]))] * is_last
        self.offset = reduce(lambda a, b: ("+", a, b), parts) if parts else ("number", 0)

    def swizzled(self, offset):
        """Returns the offset after the swizzle: B bits are added, by exclusive or, to those that are S below."""
        bits, base, shift = self.swizzle or (0, 0, 0)
        read = offset & (2**bits - 1) << base + max(shift, 0)
        return offset ^ (read >> shift if shift >= 0 else read << -shift)

    def integers(self, at=()):
        """Parses an integer or a tuple. Returns for each integer the positions that lead to it, and its expression."""
        begin = self.parser.at
        if self.parser.take("("):
            parts = self.parser.list(")", parse=self.integers)
            return [((k, *at), integer) for k, part in enumerate(parts) for at, integer in part]
        integer = self.parser.expression()
        expect(not {*"(,:"} & {*self.parser.tokens[begin:self.parser.at]}, "integers without parentheses")
        return [((), integer)]

    def follows(self, law, method):
        """Returns true if the law follows by the method, where all integers are numbers."""
        is_injective = law in ("injective", "inverse")  # an offset leads back to the one coordinate that has it
        count = prod(size for size, _ in self.leaves)
        least = self.start + sum((size - 1) * min(stride, 0) for size, stride in self.leaves) if count else 0
        expect(least >= 0 or not self.swizzle, "offsets of at least 0 before a swizzle, which permutes these")
        if method == "by signs" and law == "in-bounds":
            return least >= 0
        if method == "by strides" and is_injective or method == "by reach" and law == "onto" and not self.swizzle:
            reach = 0  # the largest offset of the integers with smaller strides, if none is negative
            for stride, size in sorted((abs(stride), size) for size, stride in self.leaves if size != 1):
                if size == 0 or not (stride > reach if is_injective else stride <= reach + 1):
                    return False
                reach += (size - 1) * stride
            return True
        expect(count <= MAX_POINTS, f"at most {MAX_POINTS} coordinates to enumerate")
        offsets = [self.start]
        for size, stride in sorted(self.leaves):  # a size 0 first
            offsets = [offset + x * stride for x in range(size) for offset in offsets] if offsets else []
        offsets = sorted(map(self.swizzled, offsets))
        steps = [b - a for a, b in zip(offsets, offsets[1:])]
        return method == "by enumeration" and (0 not in steps if is_injective else max(steps, default=0) < 2
                                               if law == "onto" else min(offsets, default=0) >= 0)

def multiplied(integers):
    """Returns the product of integers, with the numbers multiplied."""
    number, others = prod(e[1] for e in integers if e[0] == "number"), [e for e in integers if e[0] != "number"]
    return reduce(lambda a, b: ("*", a, b), [("number", number)] * (number != 1 or not others) + others)

def check_strided(law, claim, lines):
    """Checks a claim about a layout of the form shape:stride."""
    layout = StridedLayout(*claim["layout"])
    expect(not claim["over"], "bounds of the layout alone")
    is_by_method = lines.here().startswith("by ")
    expect(not layout.is_composed or is_by_method and not claim["formula"], "'by' for a composed layout of numbers")
    about = {**claim, "layout": [], "over": layout.over}
    if claim["formula"]:
        equals = claim["equals"] or [layout.offset] * (law == "formula")
        return FormulaClaim(law, {**about, "equals": equals}).check(lines)
    has_law = law in ("injective", "inverse", "in-bounds", "onto")
    expect(has_law and [part for part in claim if claim[part]] == ["layout"],
           "a law of shape:stride layouts and a layout alone")
    if is_by_method:
        is_shown = layout.leaves is not None and layout.follows(law, lines.take(".*")[0])
        expect(is_shown, "a method that shows the law for this layout")
        lines.steps += 1
        return None
    # As many different offsets as there are elements, all of them below that number, are all of these.
    negative, zero = ("min", layout.offset, ("number", 0)), ("number", 0)
    for laws, part, law_of_offset, formulas in (
            (("injective", "inverse", "onto"), "every two indices", "injective", {"formula": [layout.offset]}),
            (("in-bounds",), "every index", "formula", {"formula": [negative], "equals": [zero]}),
            (("onto",), "every index", "in-bounds", {"formula": [layout.offset], "below": [layout.size]})):
        if law in laws:
            lines.take(f"sequent {part}")
            FormulaClaim(law_of_offset, {**about, **formulas}).check(lines)
    return None
