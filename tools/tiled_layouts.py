# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tiled layouts, and the sequents that their laws consist of.

A layout such as f32[M,N]{1,0:T(8,128)} says where the elements of an array lie. The three definitions follow XLA's
document "Tiled layout"; they compute with integers or polynomials. Lists of sizes and digits begin with the major one.
"""
import re
from math import prod

from certificate_proofs import Sequent, at_most, below, ceildiv, equal, refuse_unless

MAX_SIZES = 200  # dimensions and tile entries of a layout
SIZE = "(?:[A-Za-z_][A-Za-z0-9_]*|0|[1-9][0-9]{0,99})"
BOUND = f"(?:<=)?{SIZE}"  # a dynamic dimension has the memory of its bound
TILE = rf"\((?:(?:\*|{SIZE}),)*{SIZE}\)"
TYPES = ("pred|[su](?:1|2|4|8|16|32|64)|f(?:16|32|64)|bf16|c(?:64|128)|f4e2m1fn|f6e2m3fn|f6e3m2fn|f8e3m4|f8e4m3"
         "|f8e4m3fn|f8e4m3b11fnuz|f8e4m3fnuz|f8e5m2|f8e5m2fnuz|f8e8m0fnu")
LAYOUT = re.compile(rf"({TYPES})\[((?:{BOUND}(?:,{BOUND})*)?)\](?:{{((?:[0-9]{{1,3}}(?:,[0-9]{{1,3}})*)?)(?::"
                    rf"(?:T((?:{TILE})*))?(?:L\([0-9]+\))?(?:E\(([0-9]{{1,3}})\))?(?:S\([0-9]+\))?"
                    r"(?:M\([0-9]+\))?)?})?")


class Layout:
    """Sizes are numbers, names or polynomials. A tile is the number of digits of size 1 that it prepends, and a list of
    (the slice of digits that it combines, counted from the end; the size by which it splits them)."""

    def __init__(self, text, is_leading=False):
        found = LAYOUT.fullmatch(re.sub(r" *([][{}(),:*]|<=) *", r"\1", text))
        refuse_unless(found, f"'{text[:99]}', expected an array shape with a layout, such as f32[M,N]{{1,0:T(8,128)}}")
        self.bits = int(found[5] or re.search("[0-9]+|$", found[1])[0] or 8)  # of an element
        parts = [part.split(",") for part in [found[2].replace("<=", ""), *re.findall(r"\(([^)]*)\)", found[4] or "")]]
        dimensions, *tiles = ([int(size) if size.isdigit() else size for size in part if size] for part in parts)
        sizes, order = [*dimensions, *sum(tiles, [])], [*range(len(dimensions))]
        self.names = [*dict.fromkeys(size for size in sizes if isinstance(size, str) and size != "*")]
        self.tile_names = {entry for tile in tiles for entry in tile if entry in self.names}
        refuse_unless(not re.search(r"\b[id][0-9]+\b", " ".join(self.names)),
                      f"'{text[:99]}', expected other names than i0 or d0")
        minor_to_major = order[::-1] if found[3] is None else [int(d) for d in found[3].split(",") if d]
        refuse_unless(sorted(minor_to_major) == order and 0 not in sum(tiles, []) and len(sizes) <= MAX_SIZES,
                      f"'{text[:99]}', expected each dimension once in braces, tiles >= 1, at most {MAX_SIZES} sizes")
        self.tiles, digits, leading = [], len(dimensions), 0
        for tile in tiles:
            missing, ends = max(0, len(tile) - digits), [k + 1 for k, entry in enumerate(tile) if entry != "*"]
            groups = [(slice(begin - len(tile), end - len(tile) or None), tile[end - 1])
                      for begin, end in zip([0, *ends], ends)]
            self.tiles.append((missing * (not is_leading), groups))
            leading += missing * is_leading  # the digits that tiles prepend become dimensions
            digits += missing + 2 * len(groups) - len(tile)
        self.dimensions = [1] * leading + dimensions
        self.order = [*range(leading), *(d + leading for d in minor_to_major[::-1])]  # dimensions from major to minor

    def bind(self, values):
        """Replaces the names by values."""
        self.dimensions = [values.get(size, size) if isinstance(size, str) else size for size in self.dimensions]
        self.tiles = [(missing, [(these, values.get(t, t) if isinstance(t, str) else t) for these, t in groups])
                      for missing, groups in self.tiles]
        return self


def linearize(sizes, digits):
    """Returns the row-major number of the point with these digits in a box."""
    number = 0
    for size, digit in zip(sizes, digits):
        number = number * size + digit
    return number


def closed_formula(layout, index):
    """Definition A: returns the place of the element at the index, and the number of places, padding included."""
    at, sizes = [index[d] for d in layout.order], [layout.dimensions[d] for d in layout.order]
    for missing, groups in layout.tiles:
        at, sizes, first = [0] * missing + at, [1] * missing + sizes, groups[0][0].start
        split = [(linearize(sizes[these], at[these]), prod(sizes[these]), t) for these, t in groups]
        at = at[:first] + [i // t for i, _, t in split] + [i % t for i, _, t in split]
        sizes = sizes[:first] + [ceildiv(size, t) for _, size, t in split] + [t for _, _, t in split]
    return linearize(sizes, at), prod(sizes)


def pad_reshape_transpose(layout, index):
    """Definition B: returns the place of the element after each tile padded, reshaped and transposed the array."""
    def delinearize(sizes, number):
        rests = [number // prod(sizes[k + 1:]) for k in range(len(sizes) - 1)] + [number]
        return [rest % size if k else rest for k, (rest, size) in enumerate(zip(rests, sizes))]
    at, sizes = [index[d] for d in layout.order], [layout.dimensions[d] for d in layout.order]
    for missing, groups in layout.tiles:
        at, sizes = [0] * missing + at, [1] * missing + sizes
        whole, tiled = sizes[:groups[0][0].start], [(prod(sizes[these]), t) for these, t in groups]
        if len(whole) + len(tiled) < len(sizes):  # `*` merges dimensions
            at = delinearize(whole + [size for size, _ in tiled], linearize(sizes, at))
        padded = whole + [ceildiv(size, t) * t for size, t in tiled]
        sizes = whole + [part for size, t in tiled for part in (ceildiv(size, t), t)]
        at = delinearize(sizes, linearize(padded, at))
        order = [*range(len(whole)), *range(len(whole), len(sizes), 2), *range(len(whole) + 1, len(sizes), 2)]
        at, sizes = [at[k] for k in order], [sizes[k] for k in order]
    return linearize(sizes, at)


class MixedRadix:
    """Definition C: a chain of maps of digits, each with an inverse."""

    def __init__(self, layout):
        self.layout = layout
        self.tiles = []  # of each tile a list of (sizes of the digits that it combines, their product, t)
        self.sizes = [layout.dimensions[d] for d in layout.order]
        for missing, groups in layout.tiles:
            sizes = [1] * missing + self.sizes
            self.tiles.append([(sizes[these], prod(sizes[these]), t) for these, t in groups])
            counts = [ceildiv(size, t) for _, size, t in self.tiles[-1]]
            self.sizes = sizes[:groups[0][0].start] + counts + [t for _, t in groups]
        self.elements = prod(self.sizes)

    def place(self, index):
        digits = [index[d] for d in self.layout.order]
        for (missing, groups), tile in zip(self.layout.tiles, self.tiles):
            digits = [0] * missing + digits
            merged = [(linearize(sizes, digits[these]), t) for (these, t), (sizes, _, _) in zip(groups, tile)]
            digits = digits[:groups[0][0].start] + [x // t for x, t in merged] + [x % t for x, t in merged]
        return linearize(self.sizes, digits)

    def inverse(self, place):
        """Returns the index of the element at the place, and the facts digit < size under which it is no padding."""
        def delinearize(sizes, number):
            digits = []
            for size in sizes[:0:-1]:
                number, digits = number // size, [number % size] + digits
            return [number][:len(sizes)] + digits
        digits, conditions = delinearize(self.sizes, place), []
        for (missing, groups), tile in zip(self.layout.tiles[::-1], self.tiles[::-1]):
            n = len(groups)
            merged = [q * t + r for q, r, (_, t) in zip(digits[-2 * n:-n], digits[-n:], groups)]
            conditions += (below(x, size) for x, (_, size, _) in zip(merged, tile))
            digits = digits[:-2 * n] + sum((delinearize(sizes, x) for x, (sizes, _, _) in zip(merged, tile)), [])
            conditions += (below(digit, 1) for digit in digits[:missing])
            digits = digits[missing:]
        return [digits[self.layout.order.index(d)] for d in range(len(digits))], conditions

    def padded_box(self):
        """Returns the dimensions, where each that a tile pads before it is combined or split has its padded size."""
        box, whole = [*self.layout.dimensions], [*self.layout.order]  # the dimension of each digit that is a whole one
        for (_, groups), tile in zip(self.layout.tiles, self.tiles):
            for (these, _), (_, size, t) in zip(groups, tile):
                if len(whole[these]) == 1 and whole[these][0] is not None:
                    box[whole[these][0]] = ceildiv(size, t) * t
            whole[groups[0][0].start:] = [None] * (2 * len(groups))
        return box


# A law claims its sequents for all values of the names: tiles of at least 1, dimensions of at least 0. Sequents about
# elements leave out dimensions that are 0, because such an array has no element.

LAWS = ("in-bounds", "injective", "inverse", "onto-padded-box", "padding-minimal", "equals-pad-reshape-transpose",
        "equals-mixed-radix")


def start(part, text, about_elements=True, zero=None, is_leading=False):
    """Returns a sequent about a layout, the layout with variables for its names, its chain of maps, its elements."""
    s, layout, values = Sequent(part), Layout(text, is_leading), {zero: 0}
    for name in layout.names:
        if name != zero:
            values[name] = s.new_variable(name)
            s.facts.append(at_most(int(about_elements or name in layout.tile_names), values[name]))
    chain = MixedRadix(layout.bind(values))
    return s, layout, chain, closed_formula(layout, [0] * len(layout.dimensions))[1]


def sequents_of(law, text):
    """Yields the sequents of a law."""
    def no_element(part, zero=None):
        s, _, chain, elements = start(part, text, about_elements=False, zero=zero)
        s.goals = [equal(elements, 0), equal(chain.elements, 0)]
        return s

    if law == "padding-minimal":
        s, _, chain, _ = start("every tile", text, about_elements=False)
        for k, (_, size, t) in enumerate(sum(chain.tiles, [])):
            other, padded = s.new_variable(f"tiles{k}") * t, ceildiv(size, t) * t
            s.facts.append(at_most(size, other))  # `other` is any multiple of the tile that holds the dimension
            s.goals += [at_most(size, padded), below(padded, size + t), at_most(padded, other)]
        yield s
        return
    if law == "equals-mixed-radix":
        s, _, chain, elements = start("padded elements", text, about_elements=False)
        s.goals = [equal(elements, chain.elements)]
        yield s
    if 0 in Layout(text).dimensions:
        yield no_element("no element, as a dimension is 0")
        return

    is_onto = law == "onto-padded-box"
    parts = {"onto-padded-box": "every point of the padded box", "injective": "every two indices"}
    s, layout, chain, elements = start(parts.get(law, "every index"), text, is_leading=is_onto)
    i = s.new_point("x" if is_onto else "i", chain.padded_box() if is_onto else layout.dimensions)
    place = closed_formula(layout, i)[0]
    returned, conditions = chain.inverse(place)
    if law == "injective":
        j = s.new_point("j", layout.dimensions)
        s.facts.append(equal(place, closed_formula(layout, j)[0]))
        s.goals += map(equal, i, j)
    if law in ("in-bounds", "onto-padded-box"):
        s.goals += [below(place, elements), at_most(0, place)]
    if law in ("inverse", "onto-padded-box"):
        s.goals += [*([] if is_onto else conditions), *map(equal, returned, i)]
    if law == "equals-pad-reshape-transpose":
        s.goals = [equal(place, pad_reshape_transpose(layout, i))]
    if law == "equals-mixed-radix":
        s.goals = [equal(place, chain.place(i))]
    yield s

    if law in ("inverse", "onto-padded-box"):
        part = "every offset" if is_onto else "every offset that is no padding"
        s, layout, chain, elements = start(part, text, is_leading=is_onto)
        offset = s.new_variable("offset")
        returned, conditions = chain.inverse(offset)
        s.facts += [at_most(0, offset), below(offset, elements), *([] if is_onto else conditions)]
        for digit, size in zip(returned, chain.padded_box() if is_onto else layout.dimensions):
            s.goals += [below(digit, size), at_most(0, digit)]
        s.goals.append(equal(closed_formula(layout, returned)[0], offset))
        yield s
        for name in layout.names:
            if name not in layout.tile_names:
                yield no_element(f"{name} = 0", zero=name)
