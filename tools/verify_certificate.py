#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks proof certificates, without any code of the prover that wrote them.

  tools/verify_certificate.py FILE...

A certificate has a claim and the steps of its proof (docs/certificates.md). This program reads the claim, works out for
itself what is to be shown, and follows the steps. It takes nothing on faith but the lemmas of chapter 3, which are
theorems in proofs/Lemmas.v. Prints `proved: CLAIM (N steps)` per certificate, or `FILE:LINE: why it is refused`. Exit
code: 0 all claims are proved, 1 a certificate does not prove its claim, 2 a file holds no certificates.
Chapters: 1 polynomials, 2 expressions, 3 lemmas, 4 proofs, 5 tiled layouts, 6 their laws, 7 files. Claims about formulas
are in formula_paths.py, which needs chapters 1 to 5.
"""
import re
import sys
from fractions import Fraction
from itertools import product
from math import prod

# Limits, with which each certificate is decided within about a minute.
MAX_CHARACTERS, MAX_SIZES = 2**28, 200  # of a file; dimensions and tile entries of a layout
MAX_WORK = 50_000_000  # characters of polynomials and formulas, addends, factors and digits of numbers
sys.setrecursionlimit(8000)  # bounds how deep expressions nest; the prover's limit is 400 levels

class Refused(Exception):
    """The certificate does not prove its claim. The message says why, and what was expected."""

def refuse_unless(is_right, message):
    if not is_right:
        raise Refused(message)

# --- 1. Polynomials --------------------------------------------------------------------------------------------------
# The integers of a claim are polynomials with integer coefficients over unknowns: variables, and quotients and
# remainders of two polynomials, which are not simplified. Sums and products are multiplied out, so that polynomials which
# are equal in every ring are the same. A quotient or remainder by a divisor below 1 may be any integer: no lemma says
# more of it than that it is always the same one.

class Polynomial(dict):
    """A sum: maps each product of unknowns, as the sorted tuple of their numbers, to its coefficient, which is not 0."""
    numbers, work = {}, 0  # the number of each unknown: a name, or (operator, dividend, divisor); work done so far

    def __init__(self, addends):
        super().__init__((factors, coefficient) for factors, coefficient in addends.items() if coefficient)
        spend(1 + len(addends))

    def __add__(self, other):
        total = dict(self)
        for factors, coefficient in polynomial(other).items():
            total[factors] = total.get(factors, 0) + coefficient
        return Polynomial(total)

    def __mul__(self, other):
        total = {}
        for (left, a), (right, b) in product(self.items(), polynomial(other).items()):
            spend(1 + len(left) + len(right) + a.bit_length() * b.bit_length() // 4096)
            factors = tuple(sorted(left + right))
            total[factors] = total.get(factors, 0) + a * b
        return Polynomial(total)

    __hash__ = lambda self: hash(frozenset(self.items()))
    __neg__ = lambda self: self * -1
    __sub__ = lambda self, other: self + -polynomial(other)
    __floordiv__ = lambda self, other: divide("floordiv", self, polynomial(other))
    __mod__ = lambda self, other: divide("mod", self, polynomial(other))
    __radd__, __rmul__ = __add__, __mul__  # an integer may stand on the left, too
    __rsub__ = lambda self, other: polynomial(other) - self
    __rfloordiv__ = lambda self, other: polynomial(other) // self
    __rmod__ = lambda self, other: polynomial(other) % self

    # The integer that the polynomial is, or None if it has unknowns.
    constant = property(lambda self: self.get((), 0) if self.keys() <= {()} else None)

def spend(work):
    Polynomial.work += work
    refuse_unless(Polynomial.work <= MAX_WORK, "the certificate takes too long, expected less work")

def polynomial(value):
    return value if isinstance(value, Polynomial) else Polynomial({(): value})

def unknown(key):
    return Polynomial({(Polynomial.numbers.setdefault(key, len(Polynomial.numbers)),): 1})

def divide(operator, x, y):
    if None in (x.constant, y.constant) or y.constant < 1:
        return unknown((operator, x, y))
    return polynomial(x.constant // y.constant if operator == "floordiv" else x.constant % y.constant)

ceildiv = lambda x, y: (x + y - 1) // y
# A fact is a pair: a polynomial, and True if it is 0, or False if it is at least 0.
at_most = lambda a, b: (polynomial(b) - a, False)
below = lambda a, b: (polynomial(b) - a - 1, False)
equal = lambda a, b: (polynomial(a) - b, True)

# --- 2. Expressions --------------------------------------------------------------------------------------------------
# An expression is a tuple: ("number", 5), ("name", "N"), ("+", left, right), ("unary -", operand). formula_paths.py has
# more of them.

class Parser:
    TOKEN = re.compile("[0-9]+|[A-Za-z_!][A-Za-z0-9_!]*|<=|==|[()<,*+-]")
    LEVELS = ["== <= <", "+ -", "* floordiv ceildiv mod"]  # operators, loosest first

    def __init__(self, text):
        self.text, self.tokens, self.at = text, [*self.TOKEN.findall(text), ""], 0
        self.level = {operator: level for level, operators in enumerate(self.LEVELS, 1) for operator in operators.split()}
        self.expect("".join(self.tokens) == re.sub("[ \t\r]", "", text), "operators and operands")
        spend(len(text))

    def expect(self, is_right, expected):
        if not is_right:
            raise Refused(f"'{self.text[:99]}': '{self.tokens[self.at][:40]}' as token {self.at + 1}, expected {expected}")

    def take(self, *tokens):
        """Takes the next token and returns true if it is one of these."""
        is_taken = self.tokens[self.at] in tokens
        self.at += is_taken
        return is_taken

    def group(self, end, count=None):
        """Parses expressions with commas between them, and the token after them."""
        parts = [self.expression()]
        while self.take(","):
            parts.append(self.expression())
        self.expect(count in (None, len(parts)) and self.take(end), f"an operator or '{end}'")
        return parts

    def expression(self, level=0):
        """Parses operators of this level and tighter ones."""
        left = self.operand()
        while self.level.get(operator := self.tokens[self.at], -1) >= level:
            self.at += 1
            left = (operator, left, self.expression(self.level[operator] + 1))
        return left

    def operand(self):
        token = self.tokens[self.at]
        if self.take("-"):
            return ("unary -", self.operand())
        if self.take("("):
            return self.group(")", 1)[0]
        is_number = re.fullmatch("0|[1-9][0-9]{0,99}|0[xX].{1,99}", token)
        self.expect(is_number or re.match("[A-Za-z_!]", token) and token not in self.level, "an operand")
        self.at += 1
        return ("number", int(token, 0)) if is_number else ("name", token)

# --- 3. Lemmas -------------------------------------------------------------------------------------------------------
# The premises of a lemma imply its conclusions for all integer values of its parameters.

LEMMA_TEXTS = """
K1  e t         : 1 <= t |- e == t * (e floordiv t) + e mod t, 0 <= e mod t, e mod t < t
K2  a c R       : 1 <= R, c + 1 <= a |- c * R + R <= a * R
K3  a b c d R   : 0 <= b, b < R, 0 <= d, d < R, a * R + b == c * R + d |- a == c
K3b a b c d R   : a == c, a * R + b == c * R + d |- b == d
K4  e q r t     : 0 <= r, r < t, e == q * t + r |- e floordiv t == q
K5  e q r t Q M : e == q * t + r, e == t * Q + M, Q == q |- M == r
K6  a b R       : 0 <= a, 0 <= b, b < R |- 0 <= a * R + b
K7  a A b R     : a < A, 0 <= b, b < R |- a * R + b < A * R
K8  e d t N     : 1 <= t, 0 <= e, e < d, N == d ceildiv t |- 0 <= e floordiv t, e floordiv t < N
K9  d t N       : 1 <= t, 0 <= d, N == d ceildiv t |- 0 <= N, d <= N * t, N * t < d + t
K9b d t N       : 1 <= t, 1 <= d, N == d ceildiv t |- 1 <= N
K10 p d S       : 1 <= S, 0 <= p, p < d * S |- 0 <= p floordiv S, p floordiv S < d
K11 a b         : 1 <= a, 1 <= b |- 1 <= a * b
R10 a b c       : a <= b, 0 <= c |- a * c <= b * c
R11 a b c       : a * c < b * c, 0 <= c |- a < b
C1  x y m       : x == y |- x * m == y * m
C2  x y s t     : x == y, s == t |- x floordiv s == y floordiv t
C3  x y s t     : x == y, s == t |- x mod s == y mod t
P1  x q r       : x == 2 * q + r, 0 <= r, r < 2 |- x * x == x + 2 * (q * x - q + q * r)"""

LEMMAS = {}  # parameters, premises and conclusions by name
for _line in LEMMA_TEXTS.splitlines()[1:]:
    (_name, *_parameters), *_sides = _line.split(":")[0].split(), *_line.split(":")[1].split("|-")
    LEMMAS[_name] = (_parameters, *(Parser(side).group("") for side in _sides))

OPERATORS = {"+": Polynomial.__add__, "-": Polynomial.__sub__, "*": Polynomial.__mul__, "unary -": Polynomial.__neg__,
             "floordiv": Polynomial.__floordiv__, "mod": Polynomial.__mod__, "ceildiv": ceildiv, "<=": at_most, "<": below,
             "==": equal}

def compute(expression, values):
    """Returns the polynomial or fact that an expression of OPERATORS is if its names have these values."""
    kind, *operands = expression
    if kind in ("number", "name"):
        return values[operands[0]] if kind == "name" else polynomial(operands[0])
    return OPERATORS[kind](*(compute(operand, values) for operand in operands))

# --- 4. Proofs -------------------------------------------------------------------------------------------------------
# A sequent: its goals follow from its hypotheses. Facts have numbers from 1: first the hypotheses, then those that steps
# add. A combination `4 2*7 -1/3*2` is a sum of multiples of facts, here fact 4 plus 2 times fact 7 minus a third of fact 2.

MULTIPLE = re.compile(r"(?:(-?[0-9]{1,99}(?:/[1-9][0-9]{0,99})?)\*)?([1-9][0-9]{0,11})")

class Sequent:
    def __init__(self, part=None):
        self.part, self.facts, self.goals = part, [], []
        self.named = {}  # the polynomials that names in steps stand for

    def new_variable(self, name):
        """Returns a variable that is in no fact or goal yet."""
        while name in self.named:
            name += "!"
        self.named[name] = unknown(name)
        return self.named[name]

    def new_point(self, letter, sizes):
        """Returns new variables, each at least 0 and below its size."""
        point = [self.new_variable(f"{letter}{d}") for d in range(len(sizes))]
        self.facts += (fact for x, size in zip(point, sizes) for fact in (at_most(0, x), below(x, size)))
        return point

    def parse(self, text):
        """Returns the polynomial that a text such as `3*N*!1 - i0 + 7` stands for."""
        refuse_unless(re.fullmatch("[-A-Za-z0-9_!+* ]+", text), f"'{text[:99]}', expected a polynomial")
        try:
            return compute(*Parser(text).group("", 1), self.named)
        except KeyError as name:
            raise Refused(f"{name} in '{text[:99]}', expected a name of the claim or of an atom above") from None

    def require(self, goal, words):
        """Refuses unless the combination shows the goal, or the two around `|` show both directions of an equation."""
        target, is_equation = goal
        if "|" in words and is_equation:
            self.require((target, False), words[:words.index("|")])
            self.require((-target, False), words[words.index("|") + 1:])
            return
        rest, last, digits, only_equations = dict(target), 0, 0, True
        for word in words:
            found = MULTIPLE.fullmatch(word)
            multiplier, number = (Fraction(found[1] or 1), int(found[2])) if found else (0, 0)
            refuse_unless(multiplier and found[1] in (None, str(multiplier)) and last < number <= len(self.facts),
                          f"'{word[:40]}', expected [MULTIPLIER*]FACT in lowest terms, facts to {len(self.facts)} in order")
            last, digits, (summand, is_zero) = number, digits + len(word), self.facts[number - 1]
            only_equations = only_equations and is_zero
            refuse_unless(multiplier > 0 or is_zero, f"'{word[:40]}', expected a multiplier > 0, as this is no equation")
            spend(len(summand) * (1 + digits // 10))
            for factors, coefficient in summand.items():
                rest[factors] = rest.get(factors, 0) - multiplier * coefficient
        constant = rest.pop((), 0)
        refuse_unless(not any(rest.values()), "the combination has other unknowns than the statement, expected the same")
        refuse_unless(not is_equation or only_equations and constant == 0,
                      "an equation, expected a sum of equations that is equal to it, or two combinations around |")
        # An integer above -1 is at least 0. Nothing else is rounded.
        refuse_unless(constant > -1, "the combination exceeds the statement by 1 or more, expected less")

    def take_step(self, lines):
        """Takes an atom, lemma or cut, if there is one."""
        kind, _, text = lines.here().partition(" ")
        if kind not in ("atom", "lemma", "cut"):
            return False
        lines.take()
        if kind == "atom":
            found = re.fullmatch("(![0-9]+) (floordiv|mod) ([^;]*) ; ([^;]*)", text)
            refuse_unless(found and found[1] not in self.named,
                          "expected `atom NAME floordiv|mod POLYNOMIAL ; POLYNOMIAL` with a new name such as !1")
            self.named[found[1]] = divide(found[2], self.parse(found[3]), self.parse(found[4]))
            return True
        premises = conclusions = [at_most(0, self.parse(text))] if kind == "cut" else []
        if kind == "lemma":
            name, _, arguments = text.partition(" ")
            parameters, *sides = LEMMAS.get(name, ([], [], []))
            refuse_unless(len(parameters) == arguments.count(" ; ") + 1,
                          f"'{name[:40]}', expected one of {' '.join(LEMMAS)} and an argument for each parameter")
            values = dict(zip(parameters, map(self.parse, arguments.split(" ; "))))
            premises, conclusions = ([compute(relation, values) for relation in side] for side in sides)
        for premise in premises:
            self.require(premise, lines.take_words("by"))
        self.facts += conclusions
        return True

    def check(self, lines):
        """Follows the steps and requires the goals."""
        while self.take_step(lines):
            pass
        is_contradiction = lines.here().startswith("false")  # then all goals hold
        for goal in [at_most(1, 0)] if is_contradiction else self.goals:
            self.require(goal, lines.take_words("false" if is_contradiction else "goal"))

# --- 5. Tiled layouts ------------------------------------------------------------------------------------------------
# A layout such as f32[M,N]{1,0:T(8,128)} says where the elements of an array lie. The three definitions follow XLA's
# document "Tiled layout"; they compute with integers or polynomials. Lists of sizes and digits begin with the major one.

SIZE = "(?:[A-Za-z_][A-Za-z0-9_]*|0|[1-9][0-9]{0,99})"
BOUND = f"(?:<=)?{SIZE}"  # a dynamic dimension has the memory of its bound
TILE = rf"\((?:(?:\*|{SIZE}),)*{SIZE}\)"
TYPES = ("pred|[su](?:1|2|4|8|16|32|64)|f(?:16|32|64)|bf16|c(?:64|128)|f8e(?:3m4|4m3|4m3fn|4m3b11fnuz|4m3fnuz|5m2|5m2fnuz|8m0fnu)"
         "|f4e2m1fn|f6e2m3fn|f6e3m2fn")
LAYOUT = re.compile(rf"({TYPES})\[((?:{BOUND}(?:,{BOUND})*)?)\](?:{{((?:[0-9]{{1,3}}(?:,[0-9]{{1,3}})*)?)(?::"
                    rf"(?:T((?:{TILE})*))?(?:L\([0-9]+\))?(?:E\(([0-9]{{1,3}})\))?(?:S\([0-9]+\))?(?:M\([0-9]+\))?)?}})?")

class Layout:
    """Sizes are numbers, names or polynomials. A tile is the number of digits of size 1 that it prepends, and a list of
    (the slice of digits that it combines, counted from the end; the size by which it splits them)."""
    def __init__(self, text, is_leading=False):
        found = LAYOUT.fullmatch(text.replace(" ", "").replace("<=", ""))
        refuse_unless(found, f"'{text[:99]}', expected an array shape with a layout, such as f32[M,N]{{1,0:T(8,128)}}")
        self.bits = int(found[5] or re.search("[0-9]+|$", found[1])[0] or 8)  # of an element
        parts = [found[2], *re.findall(r"\(([^)]*)\)", found[4] or "")]
        dimensions, *tiles = ([int(size) if size.isdigit() else size for size in part.split(",") if size] for part in parts)
        sizes, order = [*dimensions, *sum(tiles, [])], [*range(len(dimensions))]
        self.names = [*dict.fromkeys(size for size in sizes if isinstance(size, str) and size != "*")]
        self.tile_names = {entry for tile in tiles for entry in tile if entry in self.names}
        refuse_unless(not re.search(r"\b[id][0-9]+\b", " ".join(self.names)), f"'{text[:99]}', expected other names than i0 or d0")
        minor_to_major = order[::-1] if found[3] is None else [int(d) for d in found[3].split(",") if d]
        refuse_unless(sorted(minor_to_major) == order and 0 not in sum(tiles, []) and len(sizes) <= MAX_SIZES,
                      f"'{text[:99]}', expected each dimension once in braces, tiles >= 1, at most {MAX_SIZES} sizes")
        self.tiles, digits, leading = [], len(dimensions), 0
        for tile in tiles:
            missing, ends = max(0, len(tile) - digits), [k + 1 for k, entry in enumerate(tile) if entry != "*"]
            groups = [(slice(begin - len(tile), end - len(tile) or None), tile[end - 1]) for begin, end in zip([0, *ends], ends)]
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
        self.layout, self.tiles = layout, []  # of each tile (sizes of the digits it combines, their product, t) per group
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

# --- 6. Laws of tiled layouts ----------------------------------------------------------------------------------------
# A law claims its sequents for all values of the names: tiles of at least 1, dimensions of at least 0. Sequents about
# elements leave out dimensions that are 0, because such an array has no element.

LAWS = ("in-bounds", "injective", "inverse", "onto-padded-box", "padding-minimal", "equals-pad-reshape-transpose",
        "equals-mixed-radix")

def start(part, text, about_elements=True, zero=None, is_leading=False):
    """Returns a sequent about a layout, the layout with variables for its names, its chain of maps, and its elements."""
    s, layout, values = Sequent(part), Layout(text, is_leading), {zero: 0}
    for name in layout.names:
        if name != zero:
            values[name] = s.new_variable(name)
            s.facts.append(at_most(int(about_elements or name in layout.tile_names), values[name]))
    chain = MixedRadix(layout.bind(values))
    return s, layout, chain, closed_formula(layout, [0] * len(layout.dimensions))[1]

def no_element(part, text, zero=None):
    s, _, chain, elements = start(part, text, about_elements=False, zero=zero)
    s.goals += [equal(elements, 0), equal(chain.elements, 0)]
    return s

def sequents_of(law, text):
    """Yields the sequents of a law."""
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
        s.goals.append(equal(elements, chain.elements))
        yield s
    if 0 in Layout(text).dimensions:
        yield no_element("no element, as a dimension is 0", text)
        return
    if law == "onto-padded-box":
        s, layout, chain, elements = start("every point of the padded box", text, is_leading=True)
        x = s.new_point("x", chain.padded_box())
        place = closed_formula(layout, x)[0]
        s.goals += [below(place, elements), at_most(0, place), *map(equal, chain.inverse(place)[0], x)]
        yield s
    else:
        s, layout, chain, elements = start("every two indices" if law == "injective" else "every index", text)
        i = s.new_point("i", layout.dimensions)
        place = closed_formula(layout, i)[0]
        if law == "injective":
            j = s.new_point("j", layout.dimensions)
            s.facts.append(equal(place, closed_formula(layout, j)[0]))
            s.goals += map(equal, i, j)
        elif law == "in-bounds":
            s.goals += [below(place, elements), at_most(0, place)]
        elif law == "inverse":
            returned, conditions = chain.inverse(place)
            s.goals += [*conditions, *map(equal, returned, i)]
        else:
            s.goals.append(equal(place, chain.place(i) if law == "equals-mixed-radix" else pad_reshape_transpose(layout, i)))
        yield s
    if law in ("inverse", "onto-padded-box"):
        is_onto = law == "onto-padded-box"
        s, layout, chain, elements = start("every offset" + (" that is no padding", "")[is_onto], text, is_leading=is_onto)
        offset = s.new_variable("offset")
        returned, conditions = chain.inverse(offset)
        s.facts += [at_most(0, offset), below(offset, elements), *([] if is_onto else conditions)]
        for digit, size in zip(returned, chain.padded_box() if is_onto else layout.dimensions):
            s.goals += [below(digit, size), at_most(0, digit)]
        s.goals.append(equal(closed_formula(layout, returned)[0], offset))
        yield s
        for name in Layout(text).names:
            if name not in Layout(text).tile_names:
                yield no_element(f"{name} = 0", text, zero=name)

# --- 7. Files --------------------------------------------------------------------------------------------------------

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
        self.steps += 1
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
        from formula_paths import check_paths  # it needs this module
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
        why = "nested too deeply" if isinstance(error, RecursionError) else error
        print(f"{path}:{lines.number}: {why}", file=sys.stderr)
        return 1
    except (OSError, ValueError) as error:  # UnicodeError is a ValueError
        print(f"{path}: {error}, expected a text file of certificates", file=sys.stderr)
        return 2

def main():
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
        print(__doc__)
        return 0 if len(sys.argv) > 1 else 2
    return max(map(check_file, sys.argv[1:]))

if __name__ == "__main__":
    from verify_certificate import main as run  # the module that formula_paths.py uses, too
    sys.exit(run())
