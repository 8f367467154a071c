#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks proof certificates, without any code of the prover that wrote them.

  tools/verify_certificate.py FILE...

A certificate states a claim and the steps of its proof (docs/certificates.md). This program reads the claim, works out for
itself what has to be shown, and follows the steps. It takes nothing on faith but the lemmas of chapter 3, each of which is
a theorem in proofs/Lemmas.v. Prints `proved: CLAIM (N steps)` per certificate, or `FILE:LINE: why it is refused`.

Exit code: 0 all claims are proved, 1 a certificate does not prove its claim, 2 a file cannot be read.

Chapters: 1 polynomials, 2 expressions, 3 lemmas, 4 proofs, 5 tiled layouts, 6 their laws, 7 formulas, 8 files.
"""

import re
import sys
from fractions import Fraction
from math import prod
from typing import NamedTuple

# Limits. Whatever a file holds, each certificate is refused after about a minute.
MAX_CHARACTERS = 2**28  # of a file
MAX_TEXT = 200_000  # characters of an expression
MAX_DIGITS = 1000  # of a number
LARGEST = 10**MAX_DIGITS
MAX_FACTORS = 1000  # of a product
MAX_SIZES = 200  # dimensions and tile entries of a layout
MAX_WORK = 50_000_000  # factors and addends that are computed for one certificate
sys.setrecursionlimit(8000)  # bounds how deep expressions nest; the prover's own limit is 400 levels


class Refused(Exception):
    """The certificate does not prove its claim. The message says why, and what was expected."""


# --- 1. Polynomials --------------------------------------------------------------------------------------------------
# The integers of a claim are polynomials with integer coefficients over *unknowns*: the claim's variables, and quotients
# and remainders of two polynomials, which are not simplified. Sums and products are multiplied out, so polynomials that
# are equal by the laws of rings have the same addends. A quotient or remainder by a divisor below 1 may be any integer,
# though always the same one: no lemma says anything else about it.


class Polynomial:
    """A sum of products of unknowns. `addends` maps a product, the sorted numbers of its factors, to its coefficient."""

    numbers = {}  # of unknowns: a variable's name, or (operator, dividend, divisor)
    work = 0

    def __init__(self, addends):
        self.addends = {product: coefficient for product, coefficient in addends.items() if coefficient}
        Polynomial.spend(1 + len(addends))

    @staticmethod
    def spend(work):
        Polynomial.work += work
        if Polynomial.work > MAX_WORK:
            raise Refused("the certificate takes more than a minute, expected less work")

    def constant(self):
        """Returns the integer that this polynomial is, or None if it has unknowns."""
        return self.addends.get((), 0) if self.addends.keys() <= {()} else None

    def __eq__(self, other):
        return isinstance(other, Polynomial) and self.addends == other.addends

    def __hash__(self):
        return hash(frozenset(self.addends.items()))

    def __add__(self, other):
        addends = dict(self.addends)
        for product, coefficient in polynomial(other).addends.items():
            addends[product] = addends.get(product, 0) + coefficient
        return Polynomial(addends)

    def __mul__(self, other):
        addends = {}
        for product, coefficient in self.addends.items():
            for other_product, other_coefficient in polynomial(other).addends.items():
                factors = tuple(sorted(product + other_product))
                addends[factors] = addends.get(factors, 0) + coefficient * other_coefficient
                Polynomial.spend(1 + len(factors))
                if len(factors) > MAX_FACTORS or abs(addends[factors]) > LARGEST:
                    raise Refused(f"a product of more than {MAX_FACTORS} factors or {MAX_DIGITS} digits, expected less")
        return Polynomial(addends)

    __neg__ = lambda self: self * -1
    __sub__ = lambda self, other: self + -polynomial(other)
    __floordiv__ = lambda self, other: divide("floordiv", self, polynomial(other))
    __mod__ = lambda self, other: divide("mod", self, polynomial(other))
    __radd__, __rmul__ = __add__, __mul__  # an integer may stand on the left, too
    __rsub__ = lambda self, other: polynomial(other) - self
    __rfloordiv__ = lambda self, other: polynomial(other) // self
    __rmod__ = lambda self, other: polynomial(other) % self


def polynomial(value):
    return value if isinstance(value, Polynomial) else Polynomial({(): value})


def unknown(key):
    return Polynomial({(Polynomial.numbers.setdefault(key, len(Polynomial.numbers)),): 1})


def divide(operator, x, y):
    a, b = x.constant(), y.constant()
    if a is None or b is None or b < 1:
        return unknown((operator, x, y))
    return polynomial(a // b if operator == "floordiv" else a % b)


def ceildiv(x, y):
    return (x + y - 1) // y


class Fact(NamedTuple):
    """The statement that the polynomial is >= 0, or that it is 0."""

    polynomial: Polynomial
    is_equation: bool = False


def at_most(a, b):
    return Fact(polynomial(b) - a)


def below(a, b):
    return Fact(polynomial(b) - a - 1)


def equal(a, b):
    return Fact(polynomial(a) - b, is_equation=True)


# --- 2. Expressions --------------------------------------------------------------------------------------------------
# Lemmas and formulas have C's operators and precedences, floordiv, ceildiv and mod like / and %, min(a, b), max(a, b),
# casts int8(a), tables [a, b, c][i], and `let x = a in b`. An expression is parsed to a tuple: ("number", 5),
# ("name", "N"), ("+", left, right), ("table", [elements], index), ("let", "x", value, body).

TOKEN = re.compile(r"[ \t\r]*(0[xX][0-9a-fA-F]+|[0-9]+|[A-Za-z_][A-Za-z0-9_]*|<<|>>|[<>=!]=|&&|\|\||[][(){}?:,=<>!~|^&+*/%-]|$)")
LEVELS = [["||"], ["&&"], ["|"], ["^"], ["&"], ["==", "!="], ["<", "<=", ">", ">="], ["<<", ">>"], ["+", "-"],
          ["*", "/", "%", "floordiv", "ceildiv", "mod"]]  # loosest first
LEVEL = {operator: level for level, operators in enumerate(LEVELS) for operator in operators}
CASTS = {f"{sign}int{bits}": (bits, not sign) for sign in ("", "u") for bits in (8, 16, 32, 64)}
WORDS = {"floordiv", "ceildiv", "mod", "min", "max", "let", *CASTS}


class Parser:
    """The tokens of a text, which are taken one by one."""

    def __init__(self, text, token=TOKEN):
        self.text, self.tokens, self.at, column = text, [], 0, 0
        while not self.tokens or self.tokens[-1]:
            found = token.match(text, column)
            if not found or len(text) > MAX_TEXT:
                raise Refused(f"'{text[:100]}': column {column + 1}, expected an operator or operand")
            self.tokens.append(found[1])
            column = found.end()

    def wrong(self, expected):
        raise Refused(f"'{self.text[:100]}': '{self.here()[:20]}' as token {self.at + 1}, expected {expected}")

    def here(self):
        return self.tokens[self.at]

    def take(self, *tokens):
        """Takes the next token and returns true if it is one of these."""
        is_taken = self.here() in tokens
        self.at += is_taken
        return is_taken

    def expect(self, token):
        if not self.take(token):
            self.wrong(f"'{token}'" if token else "an operator or the end")

    def enclosed(self, begin, parse, end):
        self.expect(begin)
        inside = parse()
        self.expect(end)
        return inside

    def operand(self):
        """Returns an integer or a name."""
        token = self.here()
        if len(token) > MAX_DIGITS or token in WORDS or not re.fullmatch("0|[1-9][0-9]*|0[xX].+|[A-Za-z_!].*", token):
            self.wrong("an operand")
        self.at += 1
        return int(token, 0) if token[0].isdigit() else token

    def list_of(self, parse):
        """Parses one or more parts with commas between them."""
        parts = [parse()]
        while self.take(","):
            parts.append(parse())
        return parts

    def expressions(self):
        return self.list_of(self.expression)

    def expression(self):
        if self.take("let"):
            name = self.operand()
            return ("let", name, self.enclosed("=", self.expression, "in"), self.expression())
        condition = self.binary(0)
        if self.here() != "?":
            return condition
        return ("?", condition, self.enclosed("?", self.expression, ":"), self.expression())

    def binary(self, level):
        left = self.unary()
        while LEVEL.get(self.here(), -1) >= level:
            operator = self.here()
            self.expect(operator)
            left = (operator, left, self.binary(LEVEL[operator] + 1))
        return left

    def unary(self):
        token = self.here()
        if self.take("+"):
            return self.unary()
        if self.take("-", "!", "~"):
            return ("unary " + token, self.unary())
        if token == "(":
            return self.enclosed("(", self.expression, ")")
        if token == "[":
            return ("table", self.enclosed("[", self.expressions, "]"), self.enclosed("[", self.expression, "]"))
        if self.take("min", "max", *CASTS):
            operands = self.enclosed("(", self.expressions, ")")
            return (token, *operands) if len(operands) == 2 - (token in CASTS) else self.wrong("other operands before")
        operand = self.operand()
        return ("name" if isinstance(operand, str) else "number", operand)


def parse_all(text, token=TOKEN):
    """Parses one or more expressions with commas between them."""
    parser = Parser(text, token)
    expressions = parser.expressions()
    parser.expect("")
    return expressions


# --- 3. Lemmas -------------------------------------------------------------------------------------------------------
# A lemma: the premises imply the conclusions for all integer values of the parameters.

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
C1  x y m       : x == y |- x * m == y * m
C2  x y s t     : x == y, s == t |- x floordiv s == y floordiv t
C3  x y s t     : x == y, s == t |- x mod s == y mod t
P1  x q r       : x == 2 * q + r, 0 <= r, r < 2 |- x * x == x + 2 * (q * x - q + q * r)
"""


def parse_lemma(text):
    """Returns the name, and (parameters, premises, conclusions); premises and conclusions are expressions."""
    head, premises, conclusions = re.split(r" *: | \|- ", text)
    name, *parameters = head.split()
    return name, (parameters, parse_all(premises), parse_all(conclusions))


LEMMAS = dict(map(parse_lemma, LEMMA_TEXTS.strip().splitlines()))
OPERATORS = {"+": Polynomial.__add__, "-": Polynomial.__sub__, "*": Polynomial.__mul__, "floordiv": Polynomial.__floordiv__,
             "mod": Polynomial.__mod__, "ceildiv": ceildiv, "<=": at_most, "<": below, "==": equal,
             "unary -": Polynomial.__neg__}


def compute(expression, values):
    """Returns the polynomial or fact that an expression of OPERATORS is if its names have these values."""
    kind, *operands = expression
    if kind == "name":
        return values[operands[0]]
    return polynomial(operands[0]) if kind == "number" else OPERATORS[kind](*(compute(o, values) for o in operands))


# --- 4. Proofs -------------------------------------------------------------------------------------------------------
# A sequent says that its goals follow from its hypotheses. Facts have numbers from 1: first come the hypotheses, then the
# facts that the steps add. A combination of facts, `4 2*7 -1/3*2`, is the sum of their multiples.

POLYNOMIAL_TOKEN = re.compile(" ?([0-9]+|[A-Za-z_!][A-Za-z0-9_!]*|[-+*]|$)")
MULTIPLE = re.compile(rf"(?:(-?[0-9]{{1,{MAX_DIGITS}}}(?:/[1-9][0-9]{{0,{MAX_DIGITS}}})?)\*)?([1-9][0-9]{{0,11}})")


class Sequent:
    """A sequent with the facts known so far, and the polynomials that names in its steps stand for."""

    def __init__(self, part=""):
        self.part, self.facts, self.goals, self.named = part, [], [], {}

    def assume(self, *facts):
        self.facts += facts

    def show(self, *facts):
        self.goals += facts

    def new_variable(self, name):
        """Returns a variable that is in no hypothesis yet."""
        while name in self.named:
            name += "!"
        self.named[name] = unknown(name)
        return self.named[name]

    def parse(self, text):
        """Returns the polynomial that a text such as `3*N*!1 - i0 + 7` stands for."""
        try:
            return compute(*parse_all(text, POLYNOMIAL_TOKEN), self.named)
        except KeyError as name:
            raise Refused(f"{name} in '{text[:100]}', expected a name of the claim or of an atom above") from None

    def require(self, goal, words):
        """Refuses unless the combination shows the goal, or the two around `|` show both directions of an equation."""
        if "|" in words and goal.is_equation:
            middle = words.index("|")
            self.require(Fact(goal.polynomial), words[:middle])
            self.require(Fact(-goal.polynomial), words[middle + 1:])
            return
        rest, last, digits, only_equations = dict(goal.polynomial.addends), 0, 0, True
        for word in words:
            found = MULTIPLE.fullmatch(word)
            multiplier, number = (Fraction(found[1] or 1), int(found[2])) if found else (0, 0)
            if multiplier == 0 or found[1] not in (None, str(multiplier)) or not last < number <= len(self.facts):
                raise Refused(f"'{word[:40]}', expected [MULTIPLIER*]FACT in lowest terms, of {len(self.facts)} facts in order")
            last, (summand, is_equation) = number, self.facts[number - 1]
            if multiplier < 0 and not is_equation:
                raise Refused(f"'{word[:40]}', expected a multiplier > 0, as fact {number} is no equation")
            only_equations = only_equations and is_equation
            for product, coefficient in summand.addends.items():
                rest[product] = rest.get(product, 0) - multiplier * coefficient
            digits += len(word)
            Polynomial.spend(len(summand.addends) * (1 + digits // 10))
        constant = rest.pop((), 0)
        if any(rest.values()):
            raise Refused("the combination has other products of unknowns than the statement, expected the same")
        if goal.is_equation and not (only_equations and constant == 0):
            raise Refused("expected a sum of equations that is equal to the equation, or two combinations with | between")
        if constant <= -1:  # an integer above -1 is at least 0; no other step rounds
            raise Refused(f"the combination is greater than the statement by {-constant}, expected less than 1")

    def take_atom(self, text):
        found = re.fullmatch("(![0-9]+) (floordiv|mod) ([^;]*) ; ([^;]*)", text)
        if not found or found[1] in self.named:
            raise Refused("expected `atom NAME floordiv|mod POLYNOMIAL ; POLYNOMIAL` with a new name such as !1")
        self.named[found[1]] = divide(found[2], self.parse(found[3]), self.parse(found[4]))

    def take_lemma(self, text, lines):
        name, _, arguments = text.partition(" ")
        parameters, premises, conclusions = LEMMAS.get(name, ([], [], []))
        values = dict(zip(parameters, map(self.parse, arguments.split(" ; "))))
        if len(parameters) != arguments.count(" ; ") + 1:
            raise Refused(f"'{name[:40]}', expected one of {' '.join(LEMMAS)} and an argument for each parameter")
        for premise in premises:
            self.require(compute(premise, values), lines.take_words("by"))
        self.assume(*(compute(conclusion, values) for conclusion in conclusions))

    def check(self, lines):
        """Follows the steps and requires the goals."""
        if self.part:
            lines.expect(f"sequent {self.part}")
        while lines.first_word() in ("atom", "lemma", "cut"):
            kind, _, text = lines.take().partition(" ")
            if kind == "atom":
                self.take_atom(text)
            elif kind == "lemma":
                self.take_lemma(text, lines)
            else:
                fact = Fact(self.parse(text))
                self.require(fact, lines.take_words("by"))
                self.assume(fact)
        if lines.first_word() == "false":  # a contradiction: all goals hold
            self.require(at_most(1, 0), lines.take_words("false"))
            return
        for goal in self.goals:
            self.require(goal, lines.take_words("goal"))


# --- 5. Tiled layouts ------------------------------------------------------------------------------------------------
# A layout such as f32[M,N]{1,0:T(8,128)} says where the elements of an array lie. The three definitions follow XLA's
# document "Tiled layout". They compute with integers or polynomials. Lists of sizes and digits begin with the major one.

TYPES = set("""pred s1 s2 s4 s8 s16 s32 s64 u1 u2 u4 u8 u16 u32 u64 f16 bf16 f32 f64 c64 c128 f8e5m2 f8e4m3 f8e4m3fn
f8e4m3b11fnuz f8e3m4 f8e5m2fnuz f8e4m3fnuz f8e8m0fnu f4e2m1fn f6e2m3fn f6e3m2fn""".split())


class Layout(NamedTuple):
    """Sizes are numbers, polynomials or names; an entry of a tile is a size, or `*`, which combines two dimensions."""

    dimensions: list
    minor_to_major: list
    tiles: list
    element_bits: int

    def tile_names(self):
        return [entry for tile in self.tiles for entry in tile if isinstance(entry, str) and entry != "*"]

    def names(self):
        """Returns all names once, in the order of the text."""
        return list(dict.fromkeys([size for size in self.dimensions if isinstance(size, str)] + self.tile_names()))

    def with_values(self, values):
        def replaced(sizes):
            return [values.get(size, size) if isinstance(size, str) else size for size in sizes]
        return self._replace(dimensions=replaced(self.dimensions), tiles=list(map(replaced, self.tiles)))


def parse_layout(text):
    """Parses an array shape of HLO with its layout."""
    parser = Parser(text)

    def size():
        parser.take("<=")  # a dimension with a bound has the bound's memory
        return parser.operand()

    def tile():
        entries = parser.list_of(lambda: "*" if parser.take("*") else size())
        return parser.wrong("a size before it") if 0 in entries or entries[-1] == "*" else entries

    element_type = parser.here()
    if not parser.take(*TYPES):
        parser.wrong("an array shape with a layout, such as f32[M,N]{1,0:T(8,128)}")
    bits = int(re.search("[0-9]+|$", element_type)[0] or 8)
    dimensions = parser.enclosed("[", lambda: [] if parser.here() == "]" else parser.list_of(size), "]")
    minor_to_major, tiles = list(range(len(dimensions)))[::-1], []
    if parser.take("{"):
        minor_to_major = [] if parser.here() in (":", "}") else parser.list_of(parser.operand)
        if parser.take(":") and parser.take("T"):
            while parser.here() == "(":
                tiles.append(parser.enclosed("(", tile, ")"))
        for attribute in "LESM":
            value = parser.enclosed("(", parser.operand, ")") if parser.take(attribute) else None
            bits = value if attribute == "E" and value in range(1, 129) else bits
        parser.expect("}")
    parser.expect("")
    rank = len(dimensions)
    if len(minor_to_major) != rank or set(minor_to_major) != set(range(rank)) or rank + sum(map(len, tiles)) > MAX_SIZES:
        raise Refused(f"'{text[:100]}', expected each dimension once in the braces, and at most {MAX_SIZES} sizes")
    return Layout(dimensions, minor_to_major, tiles, bits)


def linearize(sizes, digits):
    """Returns the row-major number of the point with these digits in a box."""
    total = 0
    for size, digit in zip(sizes, digits):
        total = total * size + digit
    return total


def delinearize(sizes, number):
    """Returns the digits of the point with this row-major number. Only the major digit has no bound."""
    digits, later = [], 1
    for k in range(len(sizes))[::-1]:
        digit = number // later if k < len(sizes) - 1 else number
        digits.insert(0, digit % sizes[k] if k > 0 else digit)
        later = sizes[k] * later
    return digits


def closed_formula(layout, index):
    """Definition A: returns the place of the element at the index, and the number of places, padding included."""
    digits = [(index[d], layout.dimensions[d]) for d in layout.minor_to_major[::-1]]
    for tile in layout.tiles:
        digits = [(0, 1)] * (len(tile) - len(digits)) + digits
        first = len(digits) - len(tile)
        outer, inner, major = [], [], None
        for entry, (i, size) in zip(tile, digits[first:]):
            if major:  # the entry before was `*`
                i, size = major[0] * size + i, major[1] * size
            major = (i, size) if entry == "*" else None
            if not major:
                outer.append((i // entry, ceildiv(size, entry)))
                inner.append((i % entry, entry))
        digits = digits[:first] + outer + inner
    place, elements = 0, 1
    for i, size in digits[::-1]:
        place, elements = place + i * elements, elements * size
    return place, elements


def pad_reshape_transpose(layout, index):
    """Definition B: returns the place of the element after each tile padded, reshaped and transposed the array."""
    order = layout.minor_to_major[::-1]
    sizes, at = [layout.dimensions[d] for d in order], [index[d] for d in order]
    for tile in layout.tiles:
        missing = max(0, len(tile) - len(sizes))
        sizes, at = [1] * missing + sizes, [0] * missing + at
        first = len(sizes) - len(tile)
        merged = sizes[:first]
        for previous, size in zip([None, *tile], sizes[first:]):
            merged = merged[:-1] + [merged[-1] * size] if previous == "*" else merged + [size]
        if "*" in tile:
            at = delinearize(merged, linearize(sizes, at))
        entries = [entry for entry in tile if entry != "*"]
        counts = [ceildiv(size, entry) for size, entry in zip(merged[first:], entries)]
        padded = merged[:first] + [count * entry for count, entry in zip(counts, entries)]
        reshaped = merged[:first] + [size for pair in zip(counts, entries) for size in pair]
        at = delinearize(reshaped, linearize(padded, at))
        sizes, at = (some[:first] + some[first::2] + some[first + 1::2] for some in (reshaped, at))
    return linearize(sizes, at)


class MixedRadix:
    """Definition C: a chain of maps of digits, each with an inverse. A tile prepends digits 0, merges neighbors, pads, and
    splits each tiled digit into its count and its inner digit."""

    def __init__(self, layout):
        self.order = layout.minor_to_major[::-1]
        self.sizes = [layout.dimensions[d] for d in self.order]
        self.tiles = []  # (digits prepended, first tiled digit, [(place, minor size) of merges], sizes, entries)
        for tile in layout.tiles:
            missing = max(0, len(tile) - len(self.sizes))
            sizes = [1] * missing + self.sizes
            at = first = len(sizes) - len(tile)
            merges, entries = [], [entry for entry in tile if entry != "*"]
            for entry in tile:
                if entry == "*":
                    merges.append((at, sizes[at + 1]))
                    sizes[at:at + 2] = [sizes[at] * sizes[at + 1]]
                else:
                    at += 1
            self.tiles.append((missing, first, merges, sizes[first:], entries))
            self.sizes = sizes[:first] + list(map(ceildiv, sizes[first:], entries)) + entries
        self.elements = prod(self.sizes)

    def place(self, index):
        digits = [index[d] for d in self.order]
        for missing, first, merges, _, entries in self.tiles:
            digits = [0] * missing + digits
            for at, minor_size in merges:
                digits[at:at + 2] = [digits[at] * minor_size + digits[at + 1]]
            tiled = list(zip(digits[first:], entries))
            digits = digits[:first] + [x // t for x, t in tiled] + [x % t for x, t in tiled]
        return linearize(self.sizes, digits)

    def inverse(self, place):
        """Returns the index of the element at the place, and the conditions digit < size under which it is no padding."""
        digits, conditions = [], []
        for size in self.sizes[:0:-1]:
            digits.insert(0, place % size)
            place = place // size
        digits = [place][:len(self.sizes)] + digits
        for missing, first, merges, sizes, entries in self.tiles[::-1]:
            inner = first + len(entries)
            digits[first:] = [q * t + r for q, t, r in zip(digits[first:inner], entries, digits[inner:])]
            conditions += zip(digits[first:], sizes)
            for at, minor_size in merges[::-1]:
                digits[at:at + 1] = [digits[at] // minor_size, digits[at] % minor_size]
            conditions += [(digit, 1) for digit in digits[:missing]]
            digits = digits[missing:]
        return [digits[self.order.index(d)] for d in range(len(digits))], conditions

    def padded_box(self, dimensions):
        """Returns the dimensions, where each that a tile pads before it is merged or split has its padded size."""
        box, whole = list(dimensions), list(self.order)  # the dimension of each digit that is a whole one
        for _, first, merges, sizes, entries in self.tiles:
            for at, _ in merges:
                whole[at:at + 2] = [None]
            for d, size, entry in zip(whole[first:], sizes, entries):
                if d is not None:
                    box[d] = ceildiv(size, entry) * entry
            whole[first:] = [None] * (2 * len(entries))
        return box


def with_leading_dimensions(layout):
    """Returns the layout in which the digits that tiles prepend are dimensions of size 1."""
    digits, count = len(layout.dimensions), 0
    for tile in layout.tiles:
        count += max(0, len(tile) - digits)
        digits = max(digits, len(tile)) + len(tile) - 2 * tile.count("*")
    return layout._replace(dimensions=[1] * count + layout.dimensions,
                           minor_to_major=[d + count for d in layout.minor_to_major] + list(range(count))[::-1])


# --- 6. Laws of tiled layouts ----------------------------------------------------------------------------------------
# A law claims its sequents for all values of the names: tiles of at least 1, dimensions of at least 0. Sequents about
# elements leave out dimensions that are 0, because such an array has no element.


class LayoutSequent(Sequent):
    """A sequent about a layout. Its names become variables; one of them may be `zero`."""

    def __init__(self, part, layout, about_elements=True, zero=None):
        super().__init__(part)
        values = {zero: 0}
        for name in layout.names():
            if name != zero:
                values[name] = self.new_variable(name)
                self.assume(at_most(1 if about_elements or name in layout.tile_names() else 0, values[name]))
        self.layout = layout.with_values(values)
        self.chain = MixedRadix(self.layout)
        self.elements = closed_formula(self.layout, [0] * len(self.layout.dimensions))[1]

    def place(self, index):
        return closed_formula(self.layout, index)[0]

    def point(self, letter, sizes):
        """Returns new variables, each at least 0 and below its size."""
        point = []
        for d, size in enumerate(sizes):
            point.append(self.new_variable(f"{letter}{d}"))
            self.assume(at_most(0, point[d]), below(point[d], size))
        return point

    def pad_reshape_transpose(self, index):
        return pad_reshape_transpose(self.layout, index)

    def show_inside(self, digits, sizes):
        for digit, size in zip(digits, sizes):
            self.show(below(digit, size), at_most(0, digit))


def no_element(part, layout, zero=None):
    s = LayoutSequent(part, layout, about_elements=False, zero=zero)
    s.show(equal(s.elements, 0), equal(s.chain.elements, 0))
    return s


def sequents_of(law, layout):
    """Yields the sequents of a law."""
    if law == "padding-minimal":
        s = LayoutSequent("every tile", layout, about_elements=False)
        tiled = [pair for _, _, _, sizes, entries in s.chain.tiles for pair in zip(sizes, entries)]
        for k, (size, entry) in enumerate(tiled):
            other, padded = s.new_variable(f"tiles{k}") * entry, ceildiv(size, entry) * entry
            s.assume(at_most(size, other))  # any multiple of the tile that holds the dimension
            s.show(at_most(size, padded), below(padded, size + entry), at_most(padded, other))
        yield s
        return

    if law == "equals-mixed-radix":
        s = LayoutSequent("padded elements", layout, about_elements=False)
        s.show(equal(s.elements, s.chain.elements))
        yield s

    if 0 in layout.dimensions:
        yield no_element("no element, as a dimension is 0", layout)
        return

    if law == "injective":
        s = LayoutSequent("every two indices", layout)
        i, j = s.point("i", s.layout.dimensions), s.point("j", s.layout.dimensions)
        s.assume(equal(s.place(i), s.place(j)))
        s.show(*map(equal, i, j))
        yield s

    if law in ("in-bounds", "inverse", "equals-pad-reshape-transpose", "equals-mixed-radix"):
        s = LayoutSequent("every index", layout)
        i = s.point("i", s.layout.dimensions)
        if law == "in-bounds":
            s.show_inside([s.place(i)], [s.elements])
        elif law == "inverse":
            returned, conditions = s.chain.inverse(s.place(i))
            s.show(*(below(*condition) for condition in conditions), *map(equal, returned, i))
        else:
            s.show(equal(s.place(i), (s.chain.place if law == "equals-mixed-radix" else s.pad_reshape_transpose)(i)))
        yield s

    if law == "onto-padded-box":
        s = LayoutSequent("every point of the padded box", with_leading_dimensions(layout))
        x = s.point("x", s.chain.padded_box(s.layout.dimensions))
        s.show_inside([s.place(x)], [s.elements])
        s.show(*map(equal, s.chain.inverse(s.place(x))[0], x))
        yield s

    if law in ("inverse", "onto-padded-box"):
        is_inverse = law == "inverse"
        s = LayoutSequent("every offset that is no padding" if is_inverse else "every offset",
                          layout if is_inverse else with_leading_dimensions(layout))
        offset = s.new_variable("offset")
        s.assume(at_most(0, offset), below(offset, s.elements))
        returned, conditions = s.chain.inverse(offset)
        s.assume(*(below(*condition) for condition in conditions if is_inverse))
        s.show_inside(returned, s.layout.dimensions if is_inverse else s.chain.padded_box(s.layout.dimensions))
        s.show(equal(s.place(returned), offset))
        yield s
        for name in layout.names():
            if name not in layout.tile_names():
                yield no_element(f"{name} = 0", layout, zero=name)


LAWS = ("in-bounds", "injective", "inverse", "onto-padded-box", "padding-minimal", "equals-pad-reshape-transpose",
        "equals-mixed-radix")


# --- 7. Formulas -----------------------------------------------------------------------------------------------------
# A claim about formulas is shown path by path. Where a value depends on a condition, the next line of the path says how
# it goes on. `+` and `-`: the condition is true or false, which is a goal. `Y` and `N`: a decision, whose condition or its
# negation becomes a hypothesis. After a path that decided Y comes the path with N in its place, so that each point of the
# domain takes one path. All formulas are evaluated first; then come the steps and the goals.

INDEX, DIMENSION = re.compile("i(0|[1-9][0-9]{0,8})"), re.compile("d(0|[1-9][0-9]{0,8})")
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")


class NoValue(Exception):
    """An expression has no value on this path, for example because it divides by 0."""


def masked(x, mask):
    """Returns x & mask in two's complement: the sum of the runs of bits that are set in the mask."""
    if mask < 0:
        return x - masked(x, -1 - mask)
    total, low = polynomial(0), 0
    for run in re.finditer("1+", f"{mask:b}"[::-1]):
        low = run.start()
        total += (x // 2**low if low else x) % 2 ** len(run[0]) * 2**low
    return total


class Path(Sequent):
    """A path through the formulas of a claim."""

    def __init__(self, lines):
        super().__init__()
        self.lines, self.outcomes = lines, []

    def take_outcome(self, pattern, meaning="the outcome of a condition"):
        """Takes a line that matches the pattern, and returns its first word and the number after it."""
        line = self.lines.take()
        found = re.fullmatch(pattern, line)
        if not found:
            raise Refused(f"'{line[:40]}', expected {meaning}: {pattern}")
        self.outcomes.append((line, None))
        word, _, number = line.rpartition(" ")
        return (word, int(number)) if word and number[-1].isdigit() else (line, None)

    def holds(self, a, b):
        """Returns true if a <= b on this path."""
        a, b = polynomial(a), polynomial(b)
        if a.constant() is not None and b.constant() is not None:
            return a.constant() <= b.constant()
        outcome, _ = self.take_outcome("[+-YN]")
        fact = at_most(a, b) if outcome in "+Y" else below(b, a)
        (self.goals if outcome in "+-" else self.facts).append(fact)
        return outcome in "+Y"

    def need(self, a, b):
        if not self.holds(a, b):
            raise NoValue

    def are_equal(self, a, b):
        if a.constant() is not None and b.constant() is not None:
            return a == b
        if self.lines.here() == "=":
            self.take_outcome("=")
            self.show(equal(a, b))
            return True
        return not self.holds(a + 1, b) and not self.holds(b + 1, a)

    def between(self, x, least, most):
        """Returns which of the integers x is."""
        while least < most:
            middle = (least + most) // 2
            least, most = (least, middle) if self.holds(x, middle) else (middle + 1, most)
        return least

    def number(self, x, bits):
        """Returns which number x is; the certificate names it, or has it below 2^bits."""
        if x.constant() is not None:
            return x.constant()
        kind, n = self.take_outcome(f"= -?[0-9]{{1,30}}|# [0-{bits}]", "a number, or a number of bits")
        if kind == "=":
            self.show(equal(x, n))
            return n
        self.show(at_most(0, x), below(x, 2**n))
        return self.between(x, 0, 2**n - 1)

    def truth(self, expression, names):
        kind, *operands = expression
        if kind == "unary !":
            return not self.truth(operands[0], names)
        if kind in ("&&", "||"):
            first = self.truth(operands[0], names)
            return first if first == (kind == "||") else self.truth(operands[1], names)
        if kind not in COMPARISONS:
            return not self.are_equal(self.value(expression, names), polynomial(0))
        a, b = (self.value(operand, names) for operand in operands)
        if kind in ("==", "!="):
            return self.are_equal(a, b) == (kind == "==")
        a, b = (b, a) if kind[0] == ">" else (a, b)
        return self.holds(a if kind[1:] else a + 1, b)

    def value(self, expression, names):
        """Returns the polynomial that the expression is on this path if names stand for polynomials."""
        kind, *operands = expression
        if kind == "number":
            return polynomial(operands[0])
        if kind in ("name", "let") and (operands[0] in names) != (kind == "name"):
            raise Refused(f"'{operands[0]}'"[:40] + ", expected a name that is known, or a new one after let")
        if kind == "name":
            return names[operands[0]]
        if kind == "let":
            Polynomial.spend(len(names))
            return self.value(operands[2], {**names, operands[0]: self.value(operands[1], names)})
        if kind == "?":
            return self.value(operands[1 if self.truth(operands[0], names) else 2], names)
        if kind in COMPARISONS or kind in ("unary !", "&&", "||"):
            return polynomial(int(self.truth(expression, names)))
        if kind == "table":
            elements = [self.value(element, names) for element in operands[0]]
            i = self.value(operands[1], names)
            self.need(0, i)
            self.need(i + 1, len(elements))
            return elements[self.between(i, 0, len(elements) - 1)]
        return self.apply(kind, *(self.value(operand, names) for operand in operands))

    def apply(self, kind, a, b=None):
        """Returns the value of an operator."""
        if kind == "unary ~":
            return -a - 1
        if kind in CASTS:
            bits, is_signed = CASTS[kind]
            least = -(2 ** (bits - 1)) if is_signed else 0
            if a.constant() is None and self.take_outcome("fit|wrap")[0] == "fit":
                self.show(at_most(least, a), at_most(a, least + 2**bits - 1))
                return a
            return (a - least) % 2**bits + least
        if kind in ("min", "max"):
            return a if self.holds(a, b) == (kind == "min") else b
        if kind in ("/", "%"):  # C's, which round to 0
            is_positive = self.holds(1, b)
            if not is_positive:
                self.need(b + 1, 0)
            is_natural = self.holds(0, a)
            size, magnitude = b if is_positive else -b, a if is_natural else -a
            result = magnitude // size if kind == "/" else magnitude % size
            return result if is_natural == (is_positive or kind == "%") else -result
        if kind in ("<<", ">>"):
            self.need(0, b)
            self.need(b, 63)
            power = 2 ** self.number(b, 6)
            return a * power if kind == "<<" else a // power
        if kind in ("&", "|", "^"):
            common = self.common_bits(a, b)
            return common if kind == "&" else a + b - common * (1 if kind == "|" else 2)
        if kind in ("floordiv", "ceildiv", "mod"):
            self.need(1, b)
        return OPERATORS[kind](a, b) if b else OPERATORS[kind](a)

    def common_bits(self, a, b):
        """Returns a & b."""
        for x, mask in ((a, b), (b, a)):
            if mask.constant() is not None:
                return masked(x, mask.constant())
        kind, bits = self.take_outcome("mask (left|right)|disjoint (left|right) ([0-9]|[1-5][0-9]|6[0-3])", "how bits meet")
        x, other = (a, b) if kind.endswith("left") else (b, a)
        if kind.startswith("mask"):
            return masked(other, self.number(x, 4))
        self.show(at_most(0, other), below(other, 2**bits), equal(x % 2**bits, 0))  # x has bits above those of the other
        return polynomial(0)

    def take_splits(self):
        """Takes decisions that no formula asks for, with the atoms in them."""
        while self.lines.first_word() in ("atom", "split"):
            kind, _, text = self.lines.take().partition(" ")
            if kind == "atom":
                self.take_atom(text)
                continue
            text, _, outcome = text.rpartition(" ")
            condition = self.parse(text)
            if outcome not in ("Y", "N"):
                raise Refused("expected `split POLYNOMIAL Y` or `split POLYNOMIAL N`")
            self.outcomes.append((outcome, frozenset(condition.addends.items())))
            self.assume(at_most(0, condition) if outcome == "Y" else below(condition, 0))


def add_names(expression, names):
    """Adds the names in the order of the text to `names`, except those that a let binds."""
    kind, *operands = expression
    if kind == "let":
        inside = []
        add_names(operands[1], names)
        add_names(operands[2], inside)
        names += [name for name in inside if name != operands[0] and name not in names]
    elif kind == "name":
        names += [] if operands[0] in names else operands
    elif kind != "number":
        for operand in [*operands[0], operands[1]] if kind == "table" else operands:
            add_names(operand, names)


class Question:
    """The formulas of a claim, and the values that their names may have."""

    def __init__(self, claim):
        over, formula, equals, assumptions = (
            [expression for text in claim[key] for expression in parse_all(text)]
            for key in ("over", "formula", "equals", "assume"))
        if len(formula) != 1 or len(equals) != len(claim["equals"]) or not equals and not claim["layout"]:
            raise Refused("expected one formula, and a layout or one formula that it equals")
        self.formula, self.equals, self.assumptions = formula[0], equals, assumptions + over
        self.layout = parse_layout(*claim["layout"]) if claim["layout"] else None
        self.least = {}  # least values of the names
        self.sizes = {}  # of indices by number: an integer, the name of one, or nothing
        if self.layout:
            self.sizes = dict(enumerate(self.layout.dimensions))
            self.least = dict.fromkeys(self.layout.names(), 1)  # each dimension has an index, so none is 0
            return
        bounds, names = {}, []
        for kind, *operands in over:
            if kind != "<" or operands[0][0] != "name" or not INDEX.fullmatch(operands[0][1]):
                raise Refused("expected bounds such as i0 < M, i1 < 2 * N after over")
            bounds[int(operands[0][1][1:])] = operands[1]
        for expression in [*over, *formula, *equals, *assumptions]:
            add_names(expression, names)
        indices = sorted(int(name[1:]) for name in names if INDEX.fullmatch(name))
        for name in names:
            k = int(name[1:]) if DIMENSION.fullmatch(name) else None
            if not INDEX.fullmatch(name) and k not in bounds:
                self.least[name] = int(("name", name) in bounds.values() or k in indices)
        for k in indices:
            kind, size, *_ = bounds.get(k, ("name", f"d{k}"))
            self.sizes[k] = size if kind == "number" or kind == "name" and size in self.least else None

    def follow(self, lines):
        """Returns the path that the lines describe, up to its steps."""
        path, names = Path(lines), {}
        for name, least in [*self.least.items(), *((f"i{k}", 0) for k in self.sizes)]:
            names[name] = path.new_variable(name)
            path.assume(at_most(least, names[name]))
        for k, size in self.sizes.items():
            if size is not None:
                names[f"d{k}"] = polynomial(names.get(size, size))
                path.assume(below(names[f"i{k}"], names[f"d{k}"]))
        try:
            is_in_domain = all(path.truth(assumption, names) for assumption in self.assumptions)
        except NoValue:
            is_in_domain = False
        try:
            if is_in_domain:
                expected = path.value(self.equals[0], names) if self.equals else closed_formula(
                    self.layout.with_values(names), [names[f"i{k}"] for k in self.sizes])[0]
                path.show(equal(path.value(self.formula, names), expected))
        except NoValue:
            path.show(at_most(1, 0))  # so no point may take this path
        path.take_splits()
        return path


def check_formula(claim, lines):
    question, begin, is_complete = Question(claim), [], False
    while not is_complete:
        lines.expect("path")
        path = question.follow(lines)
        if path.outcomes[:len(begin)] != begin or any(outcome == "N" for outcome, _ in path.outcomes[len(begin):]):
            raise Refused("the decisions of this path, expected those of the path before up to its last Y, N there, then Y")
        path.check(lines)
        begin = path.outcomes
        while begin and begin[-1][0] != "Y":
            begin.pop()
        is_complete = not begin
        begin[-1:] = [("N", condition) for _, condition in begin[-1:]]


# --- 8. Files --------------------------------------------------------------------------------------------------------

FIRST_LINE = "layoutcheck certificate 1"
PARTS = ("law", "layout", "over", "formula", "equals", "assume", "integer")  # of a claim


class Lines:
    """The lines of a file, which are taken one by one."""

    def __init__(self, text):
        if not text.startswith(FIRST_LINE) or text[-1] != "\n":
            raise ValueError("no certificate, or not a whole one")
        self.lines, self.number, self.steps = text[:-1].split("\n"), 0, 0

    def at_end(self):
        return self.number == len(self.lines)

    def here(self):
        return "" if self.at_end() else self.lines[self.number]

    def first_word(self):
        return self.here().partition(" ")[0]

    def take(self):
        if self.at_end():
            raise Refused("the end of the file, expected more lines")
        self.number += 1
        return self.lines[self.number - 1]

    def expect(self, text):
        line = self.take()
        if line != text:
            raise Refused(f"'{line[:100]}', expected '{text}'")

    def take_words(self, first):
        """Takes a line that begins with the word, and returns its other words."""
        word, *words = self.take().split(" ")
        if word != first:
            raise Refused(f"'{word[:40]}', expected '{first}'")
        self.steps += 1
        return words


def check_certificate(lines):
    """Checks one certificate and returns what it proves."""
    Polynomial.numbers.clear()
    Polynomial.work = lines.steps = 0
    lines.expect(FIRST_LINE)
    claim = {part: [] for part in PARTS}
    for part in PARTS:
        while lines.first_word() == part and (part == "assume" or not claim[part]):
            claim[part].append(lines.take().partition(" ")[2])
    law, parts = "".join(claim["law"]), [part for part in PARTS if claim[part]]
    if law in LAWS and parts == ["law", "layout"]:
        for sequent in sequents_of(law, parse_layout(*claim["layout"])):
            sequent.check(lines)
    elif law == "formula" and not claim["integer"] and not (claim["layout"] and claim["over"]):
        check_formula(claim, lines)
    else:
        raise Refused(f"the law '{law[:40]}' with {', '.join(parts[1:])}, expected a claim of certificates of version 1")
    lines.expect("end")
    words = [f"{part} {text}" for part in PARTS[2:] for text in claim[part]]
    return f"proved: {' '.join([law, *claim['layout'], *words])} ({lines.steps} steps)"


def check_file(path):
    """Checks a file, prints the verdicts, and returns the exit code."""
    lines = None
    try:
        with open(path, encoding="utf-8", newline="\n") as file:
            lines = Lines(file.read(MAX_CHARACTERS))
        while not lines.at_end():
            print(check_certificate(lines))
    except (OSError, UnicodeError, ValueError) as error:
        print(f"{path}: {error}, expected a text file of certificates", file=sys.stderr)
        return 2
    except (Refused, RecursionError) as error:
        why = "nested too deeply" if isinstance(error, RecursionError) else error
        print(f"{path}:{lines.number if lines else 1}: {why}", file=sys.stderr)
        return 1
    return 0


def main():
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
        print(__doc__)
        return 0 if len(sys.argv) > 1 else 2
    return max(map(check_file, sys.argv[1:]))


if __name__ == "__main__":
    sys.exit(main())
