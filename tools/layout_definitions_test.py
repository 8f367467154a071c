#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests the definitions of layouts in tiled_layouts.py, strided_layouts.py and linear_layouts.py.

  tools/layout_definitions_test.py LAYOUTCHECK [--layouts N]

LAYOUTCHECK is the program, which says where the elements of N random tiled layouts and of fractal layouts are. Layouts
of the form shape:stride, also with a swizzle or an offset before them, are compared with all of their offsets, and N of
them with what the program proves. Ends with exit code 0 or 1.
"""
import argparse
import itertools
import json
import math
import random
import subprocess
import sys
import unittest

from certificate_steps import Polynomial, Refused, Sequent, compute, polynomial
from linear_layouts import rank, read_linear
from strided_layouts import StridedLayout
from tiled_layouts import Chain, Fractal, Layout


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
    keys = list(Polynomial.numbers)

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
            Polynomial.numbers.clear()
            Polynomial.work = 0
            sequent, layout = Sequent(None), Layout(text)
            chain = Chain(layout, {name: sequent.new_variable(name) for name in layout.names})
            sizes = [value_of(size, values) for size in chain.dimensions]
            index = [draw.randrange(size) for size in sizes]
            variables = [sequent.new_variable(f"i{d}") for d in range(len(index))]
            at = {**values, **{f"i{d}": i for d, i in enumerate(index)}}
            place, elements = (value_of(number, at) for number in chain.closed_formula(variables))
            self.assertEqual(value_of(chain.place(variables), at), place, text)
            self.assertEqual(value_of(chain.elements, at), elements, text)
            self.assertEqual(value_of(chain.pad_reshape_transpose(variables), at), place, text)
            run = subprocess.run([LAYOUTCHECK, "index", numbers, ",".join(map(str, index)) or "()", "--json"],
                                 capture_output=True, text=True, check=True)
            expected = json.loads(run.stdout)
            self.assertEqual(place, expected["offset"], numbers)
            self.assertEqual(elements, expected["padded_elements"], numbers)
            at["place"] = draw.randrange(elements)
            returned, conditions = chain.inverse(sequent.new_variable("place"))
            is_element = all(value_of(condition, at) >= 0 for condition, _ in conditions)
            run = subprocess.run([LAYOUTCHECK, "coord", numbers, str(at["place"]), "--json"], capture_output=True,
                                 text=True, check=True)
            found = [value_of(digit, at) for digit in returned] if is_element else None
            self.assertEqual(found, json.loads(run.stdout)["coordinate"], numbers)

    def test_fractal_layouts_are_those_of_the_program(self):
        draw = random.Random(11)
        for tag in Fractal.TAGS:
            for element in ("s4", "pred", "bf16", "f32", "c64"):
                sizes = [draw.randint(1, 70), draw.randint(1, 70)]
                text = f"{tag}:{element}[{sizes[0]},{sizes[1]}]"
                fractal = Fractal(text)
                sizes = sizes[1:] if tag == "VectorLayout" else sizes
                index = [draw.randrange(size) for size in sizes]
                offset, _ = fractal.place_and_size(*([polynomial(x) for x in at] for at in (sizes, index)))
                run = subprocess.run([LAYOUTCHECK, "index", text, ",".join(map(str, index)), "--json"],
                                     capture_output=True, text=True, check=True)
                self.assertEqual(offset.constant, json.loads(run.stdout)["offset"], text)
                run = subprocess.run([LAYOUTCHECK, "convert", text, "--to", "hlo"], capture_output=True, text=True,
                                     check=True)
                self.assertEqual(fractal.text, run.stdout.strip(), text)


def proved_laws(text):
    """Returns the laws that the program proves, or None if it says that the layout is none."""
    run = subprocess.run([LAYOUTCHECK, "prove", text, "--json"], capture_output=True, text=True, check=False)
    results = [json.loads(line) for line in run.stdout.splitlines()]
    return {result["law"] for result in results if result["verdict"] == "proved"} if run.returncode != 2 else None


class LinearLayoutsTest(unittest.TestCase):
    def test_ranks_are_those_of_all_inputs_and_of_the_program(self):
        draw, found = random.Random(13), set()
        for _ in range(LAYOUTS * 2):
            sizes = [2**draw.randint(0, 3) for _ in range(draw.randint(0, 2))]
            parts = [[draw.randrange(size) for size in sizes] for _ in range(draw.randint(0, 4))]
            texts = [",".join(map(str, image)) for image in parts]
            texts = texts if len(sizes) == 1 else [f"({image})" for image in texts]
            text = f"ll{{a0:[{','.join(texts[:2])}],b:[{','.join(texts[2:])}]}} -> [{','.join(map(str, sizes))}]"
            indices = set()
            for bits in itertools.product((0, 1), repeat=len(parts)):
                index = [0] * len(sizes)
                for image in (image for bit, image in zip(bits, parts) if bit):
                    index = [a ^ b for a, b in zip(index, image)]
                indices.add(tuple(index))
            truth = {"injective"} if len(indices) == 2**len(parts) else set()
            truth |= {"onto"} if len(indices) == math.prod(sizes) else set()
            of_inputs, bits = read_linear(text)
            images = sum(of_inputs, [])
            self.assertEqual("injective" in truth, rank(images) == len(images), text)
            self.assertEqual("onto" in truth, rank(images) == bits, text)
            self.assertEqual(proved_laws(text), truth, text)
            found.add((*sorted(truth),))
        self.assertEqual(len(found), 4)


class StridedLayoutsTest(unittest.TestCase):
    def random_mode(self, draw, depth=0):
        """Returns a shape and a stride as texts, and the list of (size, stride)."""
        if depth and draw.random() < 0.6:
            size, stride = draw.randint(1, 4), draw.choice([0, 1, -1, 2, 3, 4, 5, 6, 8, -4])
            return draw.choice(["", "_"]) + str(size), str(stride), [(size, stride)]
        parts = [self.random_mode(draw, depth + 1) for _ in range(draw.randint(1, 3))]
        return *(f"({','.join(part[k] for part in parts)})" for k in (0, 1)), sum((part[2] for part in parts), [])

    def random_prefix(self, draw):
        """Returns what is before a layout as text, and a function of its offsets, which is None where a swizzle has no
        meaning."""
        start, shift = draw.choice([0, 0, 1, 4, 8, 24, -1]), draw.choice([-4, -3, -2, -1, 1, 2, 3, 4])
        bits, base = draw.randint(0, abs(shift)), draw.randint(0, 3)

        def swizzled(offset):
            for n in range(base + max(shift, 0), base + max(shift, 0) + bits):
                offset ^= ((offset >> n) % 2) << (n - shift)  # no bit that is read here was changed before
            return offset

        return draw.choice([("", lambda x: x), (f"{start} o ", lambda x: start + x),
                            (f"Sw<{bits},{base},{shift}> o {start} o ",
                             lambda x: swizzled(start + x) if start + x >= 0 else None)])

    def test_offsets_and_methods_are_those_of_all_coordinates(self):
        draw, counts, compared, refused = random.Random(3), {}, 0, 0
        for _ in range(600):
            modes = [self.random_mode(draw, draw.randint(0, 2)) for _ in range(draw.randint(1, 3))]
            prefix, composed = self.random_prefix(draw)
            text = prefix + ":".join(f"({','.join(mode[k] for mode in modes)})" for k in (0, 1))
            Polynomial.work = 0
            layout = StridedLayout(text)
            self.assertEqual(layout.leaves, sum((mode[2] for mode in modes), []), text)
            if layout.size[1] > 1000:
                continue
            bounds = [bound for _, _, (_, bound) in layout.over]
            offsets = []
            for at in itertools.product(*map(range, bounds)):
                offset = 0
                for index, (_, _, leaves) in zip(at, modes):
                    for size, stride in leaves:
                        index, offset = index // size, offset + index % size * stride
                names = {f"i{k}": polynomial(i) for k, i in enumerate(at)}
                self.assertEqual(compute(layout.offset, names).constant, offset, (text, at))
                offsets.append(offset)
            self.assertEqual(layout.size, ("number", len(offsets)), text)
            offsets = [*map(composed, offsets)]
            if None in offsets:
                refused += 1
                self.assertIsNone(proved_laws(text), text)
                for law, method in itertools.product(("injective", "in-bounds", "onto"), ("strides", "enumeration")):
                    self.assertRaises(Refused, layout.follows, law, f"by {method}")
                continue
            is_injective = len({*offsets}) == len(offsets)
            truth = {"injective": is_injective, "inverse": is_injective, "in-bounds": min(offsets) >= 0,
                     "onto": {*offsets} == {*range(min(offsets), max(offsets) + 1)}}
            if prefix and compared < LAYOUTS:
                compared += 1
                self.assertEqual(proved_laws(text), {law for law in truth if truth[law]}, text)
            for law, is_law in truth.items():
                for method in ("strides", "signs", "reach", "enumeration"):
                    follows = layout.follows(law, f"by {method}")
                    self.assertTrue(is_law or not follows, (text, law, method))
                    self.assertTrue(follows or not is_law or method != "enumeration", (text, law))
                    kind = (law, method, prefix[:1] == "S")
                    counts[kind] = counts.get(kind, 0) + follows
        # Each method where it has a meaning; there is none by reach after a swizzle.
        self.assertEqual(sum(count > 0 for count in counts.values()), 8 + 7, counts)
        self.assertGreater(refused, 10)


if __name__ == "__main__":
    PARSER = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    PARSER.add_argument("layoutcheck")
    PARSER.add_argument("--layouts", type=int, default=40, help="random layouts on which the definitions are compared")
    OPTIONS = PARSER.parse_args()
    LAYOUTCHECK, LAYOUTS = OPTIONS.layoutcheck, OPTIONS.layouts
    unittest.main(argv=sys.argv[:1])
