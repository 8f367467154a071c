# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Defines tiled layouts, and states their laws as sequents.

A layout such as f32[M,N]{1,0:T(8,128)} says where the elements of an array lie. The definitions follow XLA's document
"Tiled layout". Lists of sizes and digits begin with the major one. A fractal layout of CATLASS, such as zN:f16[M,N], is
claimed to be the same as a tiled one.
"""
import re
from functools import reduce

from certificate_steps import (MAX_SIZES, Sequent, at_most, below, ceildiv, equal, expect, in_range, polynomial,
                               product_of, spend, total_of)

SIZE = "(?:[A-Za-z_][A-Za-z0-9_]*|[0-9]{1,99})"
BOUND = f"(?:<=)?{SIZE}"  # a dynamic dimension has the memory of its bound
TILE = rf"\((?:(?:\*|{SIZE}),)*{SIZE}\)"
TYPES = ("pred|[su](?:1|2|4|8|16|32|64)|f(?:16|32|64)|bf16|c(?:64|128)|f4e2m1fn|f6e2m3fn|f6e3m2fn|f8e3m4|f8e4m3"
         "|f8e4m3fn|f8e4m3b11fnuz|f8e4m3fnuz|f8e5m2|f8e5m2fnuz|f8e8m0fnu")
REST = r"\([^(){}]*\)"  # of an attribute that places no element
ATTRIBUTES = rf"(?:L\([0-9]+\)|E\([0-9]{{1,9}}\)|[#*SM]{REST}|SC(?:{REST})+)*"
LAYOUT = re.compile(rf"({TYPES})\[((?:{BOUND}(?:,{BOUND})*)?)\](?:{{((?:[0-9]{{1,3}}(?:,[0-9]{{1,3}})*)?)"
                    rf"(?::(?:D{REST})?(?:T((?:{TILE})*))?({ATTRIBUTES}))?}})?")
bits_of = lambda element_type: int(re.search("[0-9]+|$", element_type)[0] or 8)

class Layout:
    """The text of a layout. Sizes and entries of tiles are numbers, names or `*`."""
    def __init__(self, text):
        spend(500 * len(text))
        packed = re.sub(r"(?<!\s)[ \t]+(?=[][{}(),:*]|<=|$)", "", text)  # looks at each blank twice
        found = LAYOUT.fullmatch(re.sub(r"((?:[][{}(),:*]|<=|^))[ \t]+", r"\1", packed))
        expect(found, "an array shape with a layout, such as f32[M,N]{1,0:T(8,128)}")
        bits = re.findall(r"E\(([0-9]+)\)", found[5] or "")
        expect(len(bits) < 2, "the attribute E once")
        self.bits = int("".join(bits) or 0) or max(8, bits_of(found[1]))  # whole bytes, unless E says how many bits
        self.dimensions, *self.tiles = [
            [int(size) if size.isdigit() else size for size in sizes.split(",") if size]
            for sizes in (found[2].replace("<=", ""), *re.findall(r"\(([^)]*)\)", found[4] or ""))]
        entries, numbers = sum(self.tiles, []), [*range(len(self.dimensions))]
        self.names = [*dict.fromkeys(size for size in self.dimensions + entries if re.match("[A-Za-z_]", str(size)))]
        self.tile_names = {*self.names} & {*entries}
        self.order = numbers if found[3] is None else [int(d) for d in found[3].split(",") if d][::-1]  # major first
        expect(not any(re.fullmatch("[id][0-9]+", name) for name in self.names), "other names than i0 or d0")
        expect(sorted(self.order) == numbers and 0 not in entries and len(numbers + entries) <= MAX_SIZES,
               f"each dimension once in braces, tiles of at least 1, and at most {MAX_SIZES} sizes")

def linearize(sizes, digits):
    """Returns the row-major number of the point with these digits in a box."""
    return reduce(lambda number, of: number * of[0] + of[1], zip(sizes, digits), polynomial(0))

class Chain:
    """A layout with values for its names, as a chain of maps of digits. The first digits are the index, from the major
    dimension to the minor one. Each tile puts digits of size 1 in front until there are as many as it has entries. It
    merges digits (`*`), splits each of the merged ones, and puts the inner parts behind all others."""
    def __init__(self, layout, values, leading=0):
        self.dimensions, *self.entries = (
            [size if size == "*" else polynomial(values.get(size, size)) for size in sizes]
            for sizes in ([1] * leading + layout.dimensions, *layout.tiles))
        self.order, self.tiles, self.ones = [*range(leading), *(d + leading for d in layout.order)], [], 0
        self.sizes, whole = [self.dimensions[d] for d in self.order], [*self.order]
        self.box = [*self.dimensions]  # the dimensions, each padded by the first tile that meets it whole
        for tile in self.entries:
            ones = max(0, len(tile) - len(self.sizes))
            sizes, whole, groups = [polynomial(1)] * ones + self.sizes, [None] * ones + whole, []
            first = begin = len(sizes) - len(tile)
            for end, t in enumerate(tile, first + 1):
                if t != "*":
                    size = product_of(sizes[begin:end])
                    groups.append((slice(begin, end), sizes[begin:end], size, ceildiv(size, t), t))
                    if end == begin + 1 and whole[begin] is not None:
                        self.box[whole[begin]] = ceildiv(size, t) * t
                    begin = end
            self.tiles.append((ones, first, sizes, groups))
            self.sizes = sizes[:first] + [count for *_, count, _ in groups] + [t for *_, t in groups]
            self.ones, whole[first:] = self.ones + ones, [None] * (2 * len(groups))
        self.elements = product_of(self.sizes)

    def closed_formula(self, index):
        """Definition A: returns the linear index of an element, and the number of elements with the padding."""
        digits = [(index[d], self.dimensions[d]) for d in self.order]  # pairs of an index and its size
        for tile in self.entries:
            digits = [(polynomial(0), polynomial(1))] * (len(tile) - len(digits)) + digits
            taken, digits, inner = digits[-len(tile):], digits[:-len(tile)], []
            at, size = polynomial(0), polynomial(1)
            for (i, s), t in zip(taken, tile):
                at, size = at * s + i, size * s
                if t != "*":
                    digits.append((at // t, ceildiv(size, t)))
                    inner.append((at % t, t))
                    at, size = polynomial(0), polynomial(1)
            digits += inner
        return (total_of(i * product_of(size for _, size in digits[k + 1:]) for k, (i, _) in enumerate(digits)),
                product_of(size for _, size in digits))

    def place(self, index):
        """Definition C: returns the linear index of an element."""
        digits = [index[d] for d in self.order]
        for ones, first, _, groups in self.tiles:
            digits = [polynomial(0)] * ones + digits
            merged = [(linearize(sizes, digits[these]), t) for these, sizes, *_, t in groups]
            digits = digits[:first] + [x // t for x, t in merged] + [x % t for x, t in merged]
        return linearize(self.sizes, digits)

    def inverse(self, place):
        """Returns the index of the element at the place, and the facts digit < size under which it is no padding."""
        def delinearize(sizes, number):
            digits = []
            for size in sizes[:0:-1]:
                number, digits = number // size, [number % size] + digits
            return [number][:len(sizes)] + digits
        digits, conditions = delinearize(self.sizes, place), []
        for ones, first, _, groups in self.tiles[::-1]:
            merged = [q * t + r for q, r, (*_, t) in zip(digits[first:], digits[first + len(groups):], groups)]
            conditions += (below(x, size) for x, (_, _, size, *_) in zip(merged, groups))
            digits = digits[:first] + sum((delinearize(sizes, x) for x, (_, sizes, *_) in zip(merged, groups)), [])
            conditions += (below(digit, 1) for digit in digits[:ones])
            digits = digits[ones:]
        return [digits[self.order.index(d)] for d in range(len(digits))], conditions

    def pad_reshape_transpose(self, index):
        """Definition B: returns the linear index after each tile padded, reshaped and transposed the array."""
        def delinearize(sizes, number):
            rests = [number // product_of(sizes[k + 1:]) for k in range(len(sizes) - 1)] + [number]
            return [rest % size if k else rest for k, (rest, size) in enumerate(zip(rests, sizes))]
        at = [index[d] for d in self.order]
        for ones, first, sizes, groups in self.tiles:
            at, whole = [polynomial(0)] * ones + at, sizes[:first]
            if first + len(groups) < len(sizes):  # `*` merges dimensions
                at = delinearize(whole + [size for _, _, size, *_ in groups], linearize(sizes, at))
            number = linearize(whole + [count * t for *_, count, t in groups], at)
            at = delinearize(whole + [part for *_, count, t in groups for part in (count, t)], number)
            at = at[:first] + at[first::2] + at[first + 1::2]
        return linearize(self.sizes, at)

LAWS = ("in-bounds", "injective", "inverse", "onto-padded-box", "padding-minimal", "equals-pad-reshape-transpose",
        "equals-mixed-radix")

def check_law(law, layout, lines, fractal=None):
    """Checks a law of a tiled layout for all values of the names: tiles of at least 1, dimensions of at least 0.
    Sequents about elements leave out dimensions that are 0, because such an array has no element."""
    is_onto, has_inverse = law == "onto-padded-box", law in ("inverse", "onto-padded-box")

    def start(part, is_about_elements=True, zero=None):
        lines.take("sequent " + part)
        s, values = Sequent(lines), {zero: 0}
        for name in layout.names:
            if name != zero:
                values[name] = s.new_variable(name)
                s.facts.append(at_most(int(is_about_elements or name in layout.tile_names), values[name]))
        chain = Chain(layout, values)
        return s, Chain(layout, values, chain.ones) if is_onto else chain  # Prepended digits become dimensions.

    def check_no_element(part, zero=None):
        s, chain = start(part, False, zero)
        s.goals = [equal(chain.closed_formula(chain.dimensions)[1], 0), equal(chain.elements, 0)]
        s.check()

    if law == "padding-minimal":
        s, chain = start("every tile", False)
        for k, (*_, size, count, t) in enumerate(sum((groups for *_, groups in chain.tiles), [])):
            other = s.new_variable(f"tiles{k}") * t  # any multiple of the tile that holds the dimension
            s.facts.append(at_most(size, other))
            s.goals += [at_most(size, count * t), below(count * t, size + t), at_most(count * t, other)]
        return s.check()
    if law == "equals-mixed-radix":
        s, chain = start("padded elements", False)
        s.goals = [equal(chain.closed_formula(chain.dimensions)[1], chain.elements)]
        s.check()
    if 0 in layout.dimensions:
        return check_no_element("no element, as a dimension is 0")
    s, chain = start("every index of the fractal layout" if fractal else "every point of the padded box" if is_onto else
                     "every two indices" if law == "injective" else "every index")
    i = s.new_point(*("x", chain.box) if is_onto else ("i", chain.dimensions))
    place, elements = chain.closed_formula(i)
    if law == "injective":
        j = s.new_point("j", chain.dimensions)
        s.facts.append(equal(place, chain.closed_formula(j)[0]))
        s.goals += map(equal, i, j)
    if law in ("in-bounds", "onto-padded-box"):
        s.goals += in_range(place, elements)
    if law in ("equals-pad-reshape-transpose", "equals-mixed-radix"):
        s.goals.append(equal(place, chain.place(i) if law == "equals-mixed-radix" else chain.pad_reshape_transpose(i)))
    if has_inverse:
        returned, conditions = chain.inverse(place)
        s.goals += [*([] if is_onto else conditions), *map(equal, returned, i)]
        s.check()
        s, chain = start("every offset" if is_onto else "every offset that is no padding")
        offset = s.new_variable("offset")
        returned, conditions = chain.inverse(offset)
        place, elements = chain.closed_formula(returned)
        s.facts += [at_most(0, offset), below(offset, elements), *([] if is_onto else conditions)]
        s.goals += sum(map(in_range, returned, chain.box if is_onto else chain.dimensions), [])
        s.goals.append(equal(place, offset))
    if fractal:
        s.goals = [equal(fractal.place_and_size(chain.dimensions, i)[0], place)]
        s.check()
        s, chain = start("allocation of the fractal layout")
        _, elements = chain.closed_formula(chain.dimensions)
        s.goals = [equal(fractal.place_and_size(chain.dimensions, chain.dimensions)[1], elements)]
    s.check()
    for name in layout.names if has_inverse or fractal else []:
        if name not in layout.tile_names:
            check_no_element(f"{name} = 0", name)

class Fractal:
    """A fractal layout of CATLASS, such as zN:f16[M,N]: blocks of h x w elements, perhaps padded. The first letter of
    its tag says how elements lie in a block, the second how blocks lie in memory: z and Z row by row, n and N column by
    column. `text` is the XLA layout that is claimed to be the same."""
    # Letters, h and w, where 0 stands for the number of elements in 32 bytes.
    TAGS = {"zN": ("zN", 16, 0), "nZ": ("nZ", 0, 16), "zZ": ("zZ", 16, 0), "nN": ("nN", 0, 16), "L0C": ("zN", 16, 16),
            "Weight4BitnZ": ("nZ", 32, 16), "RowMajor": ("Z",), "ColumnMajor": ("N",), "VectorLayout": ("",)}

    def __init__(self, text):
        found = re.fullmatch(rf"({'|'.join(self.TAGS)}):({TYPES})\[({SIZE}),({SIZE})\]", text)
        expect(found and bits_of(found[2]) in (4, 8, 16, 32, 64), "a fractal layout, such as zN:f16[M,N]")
        tag, element, rows, columns = found.groups()
        (self.letters, *block), self.bits = self.TAGS[tag], bits_of(element)
        self.block = h, w = [size or 256 // self.bits for size in block] or (0, 0)
        self.is_row_major, is_packed = self.letters[-1:] == "Z", self.bits == 4
        major, minor = (h, w) if self.is_row_major else (w, h)
        tiles = f"T({major},{minor})" if block else "T(1,2)" * (is_packed and self.letters != "")
        tiles += f"({major},1)" * (self.letters in ("zN", "nZ")) + "E(4)" * is_packed
        shape, order = (f"{rows},{columns}", "1,0" if self.is_row_major else "0,1") if self.letters else (columns, "0")
        self.text = f"{element}[{shape}]{{{order}{':' * bool(tiles)}{tiles}}}"

    def place_and_size(self, sizes, index):
        """Returns the offset of the element at the index, and the number of elements that the memory has space for."""
        (rows, columns), (i, j), (h, w) = ([polynomial(0), *sizes][-2:], [polynomial(0), *index][-2:], self.block)
        padding = polynomial(0)  # of the last row
        if not self.letters:
            digits = [(j, columns, 1)]  # The offset is the sum of the products digit * stride.
        elif not h:
            minor = columns if self.is_row_major else rows
            pitch = ceildiv(minor, 2) * 2 if self.bits == 4 else minor  # whole bytes
            digits, padding = [(i, rows, pitch if self.is_row_major else 1),
                               (j, columns, 1 if self.is_row_major else pitch)], pitch - minor
        else:
            down, across, is_inner_row_major = ceildiv(rows, h), ceildiv(columns, w), self.letters[0] == "z"
            digits = [(i % h, h, w if is_inner_row_major else 1), (j % w, w, 1 if is_inner_row_major else h),
                      (i // h, down, across * w * h if self.is_row_major else h * w),
                      (j // w, across, h * w if self.is_row_major else down * h * w)]
        return (total_of(digit * stride for digit, _, stride in digits),
                total_of((polynomial(size) - 1) * stride for _, size, stride in digits) + padding + 1)
