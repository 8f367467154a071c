#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks proof certificates, without any code of the prover that wrote them.

  tools/verify_certificate.py FILE...

A certificate has a claim and the steps of its proof (docs/certificates.md). This program reads the claim, works out for
itself what is to be shown, and follows the steps. It takes nothing on faith but the lemmas of chapter 3, which are
theorems in proofs/Lemmas.v. Prints `proved: CLAIM (N steps)` per certificate, or `FILE:LINE: why it is refused`. Exit
code: 0 all claims are proved, 1 a certificate does not prove its claim, 2 a file holds no certificates.
Chapters: 1 polynomials, 2 expressions, 3 lemmas, 4 proofs, 5 tiled layouts, 6 their laws, 7 formulas, 8 files.
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
    if Polynomial.work > MAX_WORK:
        raise Refused("the certificate takes too long, expected less work")

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
# Lemmas and formulas have C's operators and precedences, floordiv, ceildiv and mod like / and %, min(a, b), max(a, b),
# casts int8(a), tables [a, b, c][i], and `let x = a in b`. An expression is a tuple: ("number", 5), ("name", "N"),
# ("+", left, right), ("unary -", operand), ("table", [elements], index), ("let", "x", value, body).

TOKEN = re.compile(r"0[xX][0-9a-fA-F]+|[0-9]+|[A-Za-z_][A-Za-z0-9_]*|<<|>>|[<>=!]=|&&|\|\||[][()?:,=<>!~|^&+*/%-]")
LEVELS = ["||", "&&", "|", "^", "&", "== !=", "< <= > >=", "<< >>", "+ -", "* / % floordiv ceildiv mod"]  # loosest first
LEVEL = {operator: level for level, operators in enumerate(LEVELS, 1) for operator in operators.split()}
CASTS = {f"{sign}int{bits}": (bits, not sign) for sign in ("", "u") for bits in (8, 16, 32, 64)}

class Parser:
    def __init__(self, text, token):
        self.text, self.tokens, self.at = text, [*token.findall(text), ""], 0
        spend(len(text))
        self.expect("".join(self.tokens) == re.sub("[ \t\r]", "", text), "operators and operands")

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
        while LEVEL.get(operator := self.tokens[self.at], -1) >= level:
            self.at += 1
            left = (operator, left, self.expression(LEVEL[operator] + 1))
        return ("?", left, *self.group(":", 1), self.expression()) if level == 0 and self.take("?") else left

    def operand(self):
        token = self.tokens[self.at]
        if self.take("+", "-", "!", "~"):
            return ("unary " + token, self.operand())
        if self.take("("):
            return self.group(")", 1)[0]
        if self.take("["):
            elements = self.group("]")
            self.expect(self.take("["), "'['")
            return ("table", elements, *self.group("]", 1))
        if self.take("min", "max", *CASTS):
            self.expect(self.take("("), "'('")
            return (token, *self.group(")", 1 if token in CASTS else 2))
        if self.take("let"):
            kind, name, *_ = self.operand()
            self.expect(kind == "name" and self.take("="), "a name and '='")
            return ("let", name, *self.group("in", 1), self.expression())
        is_number = re.fullmatch("0|[1-9][0-9]{0,99}|0[xX].{1,99}", token)
        self.expect(is_number or re.match("[A-Za-z_!]", token) and token not in LEVEL, "an operand")
        self.at += 1
        return ("number", int(token, 0)) if is_number else ("name", token)

def parse_all(text, token=TOKEN):
    """Parses one or more expressions with commas between them."""
    return Parser(text, token).group("")

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
    LEMMAS[_name] = (_parameters, *map(parse_all, _sides))

OPERATORS = {"+": Polynomial.__add__, "-": Polynomial.__sub__, "*": Polynomial.__mul__, "ceildiv": ceildiv, "==": equal,
             "floordiv": Polynomial.__floordiv__, "mod": Polynomial.__mod__, "<=": at_most, "<": below,
             "unary -": Polynomial.__neg__, "unary +": lambda a: a, "unary ~": lambda a: -1 - a}

def compute(expression, values):
    """Returns the polynomial or fact that an expression of OPERATORS is if its names have these values."""
    kind, *operands = expression
    if kind in ("number", "name"):
        return values[operands[0]] if kind == "name" else polynomial(operands[0])
    return OPERATORS[kind](*(compute(operand, values) for operand in operands))

# --- 4. Proofs -------------------------------------------------------------------------------------------------------
# A sequent: its goals follow from its hypotheses. Facts have numbers from 1: first the hypotheses, then those that steps
# add. A combination `4 2*7 -1/3*2` is a sum of multiples of facts, here fact 4 plus 2 times fact 7 minus a third of fact 2.

POLYNOMIAL_TOKEN = re.compile("[0-9]+|[A-Za-z_!][A-Za-z0-9_!]*|[-+*]")
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
        point = []
        for d, size in enumerate(sizes):
            point.append(self.new_variable(f"{letter}{d}"))
            self.facts += [at_most(0, point[d]), below(point[d], size)]
        return point

    def parse(self, text):
        """Returns the polynomial that a text such as `3*N*!1 - i0 + 7` stands for."""
        try:
            return compute(*parse_all(text, POLYNOMIAL_TOKEN), self.named)
        except (KeyError, TypeError):
            raise Refused(f"'{text[:100]}', expected a polynomial in names of the claim and of atoms above") from None

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
            if not multiplier or found[1] not in (None, str(multiplier)) or not last < number <= len(self.facts):
                raise Refused(f"'{word[:40]}', expected [MULTIPLIER*]FACT in lowest terms, of {len(self.facts)} facts in order")
            last, digits, (summand, is_zero) = number, digits + len(word), self.facts[number - 1]
            only_equations = only_equations and is_zero
            if multiplier < 0 and not is_zero:
                raise Refused(f"'{word[:40]}', expected a multiplier > 0, as fact {number} is no equation")
            spend(len(summand) * (1 + digits // 10))
            for factors, coefficient in summand.items():
                rest[factors] = rest.get(factors, 0) - multiplier * coefficient
        constant = rest.pop((), 0)
        if any(rest.values()):
            raise Refused("the combination has other unknowns than the statement, expected the same")
        if is_equation and not (only_equations and constant == 0):
            raise Refused("an equation, expected a sum of equations that is equal to it, or two combinations around |")
        if constant <= -1:  # an integer above -1 is at least 0; nothing else is rounded
            raise Refused("the combination is greater than the statement, expected less than 1 of difference")

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
        self.facts += (compute(conclusion, values) for conclusion in conclusions)

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
                self.require(at_most(0, self.parse(text)), lines.take_words("by"))
                self.facts.append(at_most(0, self.parse(text)))
        if lines.first_word() == "false":  # the hypotheses contradict each other, so all goals hold
            self.require(at_most(1, 0), lines.take_words("false"))
        else:
            for goal in self.goals:
                self.require(goal, lines.take_words("goal"))

# --- 5. Tiled layouts ------------------------------------------------------------------------------------------------
# A layout such as f32[M,N]{1,0:T(8,128)} says where the elements of an array lie. The three definitions follow XLA's
# document "Tiled layout"; they compute with integers or polynomials. Lists of sizes and digits begin with the major one.

SIZE = "(?:[A-Za-z_][A-Za-z0-9_]*|0|[1-9][0-9]{0,99})"
BOUND = f"(?:<=)?{SIZE}"  # a dynamic dimension has the memory of its bound
TILE = rf"\((?:(?:\*|{SIZE}),)*{SIZE}\)"
LAYOUT = re.compile(rf"[a-z]+([0-9]*)[a-z0-9]*\[((?:{BOUND}(?:,{BOUND})*)?)\](?:{{((?:[0-9]{{1,3}}(?:,[0-9]{{1,3}})*)?)(?::"
                    rf"(?:T((?:{TILE})*))?(?:L\([0-9]+\))?(?:E\(([0-9]{{1,3}})\))?(?:S\([0-9]+\))?(?:M\([0-9]+\))?)?}})?")

class Layout:
    """Sizes are numbers, names or polynomials. A tile is the number of digits of size 1 that it prepends, and (the slice of
    digits that it combines, the size by which it splits them) for each group of its entries, such as `*,*,8`."""
    def __init__(self, text, is_leading=False):
        found = LAYOUT.fullmatch(text.replace(" ", "").replace("<=", ""))
        if not found:
            raise Refused(f"'{text[:99]}', expected an array shape with a layout, such as f32[M,N]{{1,0:T(8,128)}}")
        self.bits = int(found[5] or found[1] or 8)  # of an element
        parts = [found[2], *re.findall(r"\(([^)]*)\)", found[4] or "")]
        dimensions, *tiles = ([int(size) if size.isdigit() else size for size in part.split(",") if size] for part in parts)
        sizes, order = [*dimensions, *sum(tiles, [])], [*range(len(dimensions))][::-1]
        self.names = [*dict.fromkeys(size for size in sizes if isinstance(size, str) and size != "*")]
        self.tile_names = {entry for tile in tiles for entry in tile if entry in self.names}
        minor_to_major = order if found[3] is None else [int(d) for d in found[3].split(",") if d]
        if sorted(minor_to_major) != order[::-1] or 0 in sum(tiles, []) or len(sizes) > MAX_SIZES:
            raise Refused(f"'{text[:99]}', expected each dimension once in braces, tiles >= 1, at most {MAX_SIZES} sizes")
        self.tiles, digits, leading = [], len(dimensions), 0
        for tile in tiles:
            missing, digits = max(0, len(tile) - digits), max(digits, len(tile))
            leading += missing
            ends = [k + 1 for k, entry in enumerate(tile) if entry != "*"]
            groups = [(slice(digits - len(tile) + begin, digits - len(tile) + end), tile[end - 1])
                      for begin, end in zip([0, *ends], ends)]
            self.tiles.append((0 if is_leading else missing, groups))
            digits += 2 * len(groups) - len(tile)
        leading *= is_leading  # the digits that tiles prepend become dimensions
        self.dimensions = [1] * leading + dimensions
        self.order = [*range(leading), *(d + leading for d in minor_to_major[::-1])]  # dimensions from major to minor

    def bind(self, values):
        """Replaces the names by values."""
        self.dimensions = [values.get(size, size) if isinstance(size, str) else size for size in self.dimensions]
        self.tiles = [(missing, [(these, values.get(entry, entry) if isinstance(entry, str) else entry)
                                 for these, entry in groups]) for missing, groups in self.tiles]
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
        later = [prod(sizes[k + 1:]) for k in range(len(sizes))]
        rests = [number // after for after in later[:-1]] + [number]
        return [rest % size if k else rest for k, (rest, size) in enumerate(zip(rests, sizes))]
    at, sizes = [index[d] for d in layout.order], [layout.dimensions[d] for d in layout.order]
    for missing, groups in layout.tiles:
        at, sizes, first = [0] * missing + at, [1] * missing + sizes, groups[0][0].start
        merged = sizes[:first] + [prod(sizes[these]) for these, _ in groups]
        if len(merged) < len(sizes):
            at = delinearize(merged, linearize(sizes, at))
        counts = [ceildiv(size, t) for size, (_, t) in zip(merged[first:], groups)]
        padded = merged[:first] + [count * t for count, (_, t) in zip(counts, groups)]
        sizes = merged[:first] + [size for count, (_, t) in zip(counts, groups) for size in (count, t)]
        at = delinearize(sizes, linearize(padded, at))
        at, sizes = (some[:first] + some[first::2] + some[first + 1::2] for some in (at, sizes))
    return linearize(sizes, at)

class MixedRadix:
    """Definition C: a chain of maps of digits, each with an inverse."""
    def __init__(self, layout):
        self.layout, self.tiles = layout, []  # of each tile (size of each digit it combines, their product, t) per group
        self.sizes = [layout.dimensions[d] for d in layout.order]
        for missing, groups in layout.tiles:
            sizes = [1] * missing + self.sizes
            self.tiles.append([(sizes[these], prod(sizes[these]), t) for these, t in groups])
            self.sizes = sizes[:groups[0][0].start] + [ceildiv(size, t) for _, size, t in self.tiles[-1]] + [
                t for _, t in groups]
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
            first, inner = groups[0][0].start, groups[0][0].start + len(groups)
            merged = [q * t + r for q, r, (_, t) in zip(digits[first:inner], digits[inner:], groups)]
            conditions += (below(x, size) for x, (_, size, _) in zip(merged, tile))
            digits = digits[:first] + sum((delinearize(sizes, x) for x, (sizes, _, _) in zip(merged, tile)), [])
            conditions += (below(digit, 1) for digit in digits[:missing])
            digits = digits[missing:]
        return [digits[self.layout.order.index(d)] for d in range(len(digits))], conditions

    def padded_box(self):
        """Returns the dimensions, where each that a tile pads before it is combined or split has its padded size."""
        box, whole = [*self.layout.dimensions], [*self.layout.order]  # the dimension of each digit that is a whole one
        for (_, groups), tile in zip(self.layout.tiles, self.tiles):
            for (these, t), (_, size, _) in zip(groups, tile):
                if len(whole[these]) == 1 and whole[these.start] is not None:
                    box[whole[these.start]] = ceildiv(size, t) * t
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

# --- 7. Formulas -----------------------------------------------------------------------------------------------------
# A claim about formulas is shown path by path. Where a value depends on a condition, the next line says how the path goes
# on: `+` or `-`: the condition is true or false, which is a goal; `Y` or `N`: a decision, whose condition or its negation
# becomes a hypothesis. After a path that decided Y comes the one that decides N there, so each point of the domain takes
# one path. The assumptions and formulas are evaluated first; then come the steps and the goals.

COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
INDEX, DIMENSION = re.compile("i(0|[1-9][0-9]{0,8})"), re.compile("d(0|[1-9][0-9]{0,8})")

class NoValue(Exception):
    """An expression has no value on this path, for example because it divides by 0."""

def names_in(expression):
    """Returns the names in the order of the text, except those that a let binds."""
    kind, *operands = expression
    if kind == "let":
        return names_in(operands[1]) + [name for name in names_in(operands[2]) if name != operands[0]]
    if kind in ("number", "name"):
        return operands if kind == "name" else []
    return sum(map(names_in, [*operands[0], operands[1]] if kind == "table" else operands), [])

def masked(x, mask):
    """Returns x & mask in two's complement: the sum of the runs of bits that are set in the mask."""
    if mask < 0:
        return x - masked(x, -1 - mask)
    runs = [(run.start(), len(run[0])) for run in re.finditer("1+", f"{mask:b}"[::-1])]
    return sum(((x // 2**low if low else x) % 2**length * 2**low for low, length in runs), polynomial(0))

class Path(Sequent):
    """A path through the formulas of a claim, up to its steps."""
    def __init__(self, claim, lines):
        super().__init__()
        self.lines, self.outcomes = lines, []
        layout = Layout(*claim["layout"]) if claim["layout"] else None
        over, formula, equals, assumptions = ([expression for text in claim[part] for expression in parse_all(text)]
                                              for part in ("over", "formula", "equals", "assume"))
        if len(formula) != 1 or len(equals) != len(claim["equals"]) or not (equals or layout) or layout and over:
            raise Refused("expected one formula, and a layout or one formula that it equals")
        names = self.add_domain(layout, over, list(dict.fromkeys(sum(map(names_in, [*over, *formula, *equals, *assumptions]), []))))
        try:
            is_in_domain = all(self.truth(assumption, names) for assumption in assumptions + over)
        except NoValue:
            is_in_domain = False
        try:
            if is_in_domain:
                index = [names[name] for name in names if INDEX.fullmatch(name)]
                expected = self.value(equals[0], names) if equals else closed_formula(layout.bind(names), index)[0]
                self.goals.append(equal(self.value(formula[0], names), expected))
        except NoValue:
            self.goals.append(at_most(1, 0))  # so no point may take this path
        self.take_splits()

    def add_domain(self, layout, over, texts):
        """Adds the hypotheses about the variables, and returns the value of each name."""
        if layout:
            least, sizes = dict.fromkeys(layout.names, 1), dict(enumerate(layout.dimensions))  # indices exist: no size is 0
        else:
            bounds, least, sizes = {}, {}, {}
            for kind, *operands in over:
                if kind != "<" or operands[0][0] != "name" or not INDEX.fullmatch(operands[0][1]):
                    raise Refused("expected bounds such as i0 < M, i1 < 2 * N after over")
                bounds[int(operands[0][1][1:])] = operands[1]
            indices = sorted(int(name[1:]) for name in texts if INDEX.fullmatch(name))
            for name in texts:
                k = int(name[1:]) if DIMENSION.fullmatch(name) else None
                if not INDEX.fullmatch(name) and k not in bounds:
                    least[name] = int(("name", name) in bounds.values() or k in indices)
            for k in indices:
                kind, size, *_ = bounds.get(k, ("name", f"d{k}"))
                sizes[k] = size if kind == "number" or kind == "name" and size in least else None
        names = {name: self.new_variable(name) for name in [*least, *(f"i{k}" for k in sizes)]}
        self.facts += (at_most(least.get(name, 0), names[name]) for name in names)
        for k, size in sizes.items():
            if size is not None:
                names[f"d{k}"] = polynomial(names.get(size, size))
                self.facts.append(below(names[f"i{k}"], names[f"d{k}"]))
        return names

    def take_outcome(self, pattern):
        """Takes a line that matches the pattern, and returns it without the number at its end, and the number."""
        line = self.lines.take()
        if not re.fullmatch(pattern, line):
            raise Refused(f"'{line[:40]}', expected the outcome of a condition: {pattern}")
        self.outcomes.append((line, None))
        words, _, number = line.rpartition(" ")
        return (words, int(number)) if words and number[-1].isdigit() else (line, None)

    def holds(self, a, b):
        """Returns true if a <= b on this path."""
        a, b = polynomial(a), polynomial(b)
        if None not in (a.constant, b.constant):
            return a.constant <= b.constant
        outcome, _ = self.take_outcome("[+-YN]")
        (self.goals if outcome in "+-" else self.facts).append(at_most(a, b) if outcome in "+Y" else below(b, a))
        return outcome in "+Y"

    def need(self, a, b):
        if not self.holds(a, b):
            raise NoValue

    def are_equal(self, a, b):
        if None in (a.constant, b.constant) and self.lines.first_word() == "=":
            self.take_outcome("=")
            self.goals.append(equal(a, b))
            return True
        return not self.holds(a + 1, b) and not self.holds(b + 1, a)

    def between(self, x, least, most):
        """Returns which of the integers x is."""
        while least < most:
            middle = (least + most) // 2
            least, most = (least, middle) if self.holds(x, middle) else (middle + 1, most)
        return least

    def number(self, x, bits):
        """Returns which number x is: the certificate names it, or says that it is at least 0 and below a power of 2."""
        if x.constant is not None:
            return x.constant
        kind, n = self.take_outcome(f"= -?[0-9]{{1,30}}|# [0-{bits}]")
        self.goals += [equal(x, n)] if kind == "=" else [at_most(0, x), below(x, 2**n)]
        return n if kind == "=" else self.between(x, 0, 2**n - 1)

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
        if kind in ("name", "let") and (operands[0] in names) != (kind == "name"):
            raise Refused(f"'{operands[0][:40]}', expected a name that is known, or a new one after let")
        if kind in ("number", "name"):
            return names[operands[0]] if kind == "name" else polynomial(operands[0])
        if kind == "let":
            spend(len(names))
            return self.value(operands[2], {**names, operands[0]: self.value(operands[1], names)})
        if kind == "?":
            return self.value(operands[1 if self.truth(operands[0], names) else 2], names)
        if kind in COMPARISONS or kind in ("unary !", "&&", "||"):
            return polynomial(int(self.truth(expression, names)))
        if kind == "table":
            elements, i = [self.value(element, names) for element in operands[0]], self.value(operands[1], names)
            self.need(0, i)
            self.need(i + 1, len(elements))
            return elements[self.between(i, 0, len(elements) - 1)]
        return self.apply(kind, *(self.value(operand, names) for operand in operands))

    def apply(self, kind, a, b=None):
        """Returns the value of an operator."""
        if kind in CASTS:
            bits, is_signed = CASTS[kind]
            least = -(2 ** (bits - 1)) if is_signed else 0
            if a.constant is None and self.take_outcome("fit|wrap")[0] == "fit":
                self.goals += [at_most(least, a), at_most(a, least + 2**bits - 1)]
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
        return OPERATORS[kind](a) if b is None else OPERATORS[kind](a, b)

    def common_bits(self, a, b):
        """Returns a & b."""
        if None not in (a.constant, b.constant) or b.constant is not None:
            return masked(a, b.constant)
        if a.constant is not None:
            return masked(b, a.constant)
        kind, bits = self.take_outcome("mask (left|right)|disjoint (left|right) ([0-9]|[1-5][0-9]|6[0-3])")
        x, other = (a, b) if kind.endswith("left") else (b, a)
        if bits is None:
            return masked(other, self.number(x, 4))
        self.goals += [at_most(0, other), below(other, 2**bits), equal(x % 2**bits, 0)]  # no bit of one is in the other
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
            self.outcomes.append((outcome, condition))
            self.facts.append(at_most(0, condition) if outcome == "Y" else below(condition, 0))

def check_paths(claim, lines):
    begin, is_complete = [], False
    while not is_complete:
        lines.expect("path")
        path = Path(claim, lines)
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
        self.lines, self.number, self.steps = text.split("\n")[:-1], 0, 0

    def at_end(self):
        return self.number == len(self.lines)

    def first_word(self):
        return "" if self.at_end() else self.lines[self.number].partition(" ")[0]

    def take(self):
        if self.at_end():
            raise Refused("the end of the file, expected more lines")
        self.number += 1
        return self.lines[self.number - 1]

    def expect(self, text):
        line = self.take()
        if line != text:
            raise Refused(f"'{line[:99]}', expected '{text}'")

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
        for sequent in sequents_of(law, *claim["layout"]):
            sequent.check(lines)
    elif law == "formula" and "integer" not in parts:
        check_paths(claim, lines)
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
    sys.exit(main())
