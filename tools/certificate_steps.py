# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Follows the steps of certificates: polynomials, expressions, lemmas, and sequents, whose goals the steps show.

A step adds facts, and a sum of multiples of facts shows a goal. What the facts and goals of a claim are is known to the
modules that import this one.
"""
import re
from fractions import Fraction
from itertools import chain, product
from math import prod

# Limits, with which each certificate is decided within about a minute.
MAX_WORK = 50_000_000  # characters of polynomials and formulas, addends, factors and digits of numbers
MAX_POINTS = 2**20  # that are enumerated
MAX_NAMES = 1000  # of a claim whose points are enumerated
MAX_SIZES = 200  # dimensions and tile entries of a layout, or integers of a shape

class Refused(Exception):
    """The certificate does not prove its claim. The message says what was expected."""

def expect(is_right, expected):
    if not is_right:
        raise Refused(expected)

def spend(work):
    Polynomial.work += work
    expect(Polynomial.work <= MAX_WORK, "a certificate that takes less work")

# --- Polynomials ------------------------------------------------------------------------------------------------------
# The integers of a claim are polynomials with integer coefficients over unknowns: variables, and quotients, remainders
# and common bits of two polynomials, which are not simplified. Sums and products are multiplied out, so polynomials
# that are equal in every ring are the same. A quotient or remainder by a divisor below 1 may be any integer: no lemma
# says more of it than that it is always the same one.

class Polynomial(dict):
    """A sum: maps each product of unknowns, the sorted tuple of their numbers, to its coefficient, which is not 0."""
    numbers, work = {}, 0  # the number of each unknown: a name, or (operator, operand, operand); work done so far

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

    def atom(self, name, compute_numbers, other):
        """Returns an unknown, or a number if both operands are numbers and no divisor is below 1."""
        if None in (self.constant, other.constant) or other.constant < 1 and name != "&":
            return unknown((name, self, other))
        return polynomial(compute_numbers(self.constant, other.constant))

    __hash__ = lambda self: hash(frozenset(self.items()))
    __neg__ = lambda self: self * -1
    __sub__ = lambda self, other: self + polynomial(other) * -1
    __floordiv__ = lambda self, other: self.atom("floordiv", int.__floordiv__, polynomial(other))
    __mod__ = lambda self, other: self.atom("mod", int.__mod__, polynomial(other))
    __and__ = lambda self, other: min(self, other, key=sorted_items).atom(
        "&", int.__and__, max(other, self, key=sorted_items))
    # The integer that the polynomial is, or None if it has unknowns.
    constant = property(lambda self: self.get((), 0) if self.keys() <= {()} else None)

sorted_items = lambda self: sorted(self.items())
unknown = lambda key: Polynomial({(Polynomial.numbers.setdefault(key, len(Polynomial.numbers)),): 1})
polynomial = lambda value: value if isinstance(value, Polynomial) else Polynomial({(): int(value)})
total_of = lambda addends: sum(addends, polynomial(0))
product_of = lambda factors: prod(factors, start=polynomial(1))
ceildiv = lambda x, y: (x + y - 1) // y
# A fact is a pair: a polynomial, and True if it is 0, or False if it is at least 0.
at_most = lambda a, b: (polynomial(b) - a, False)
below = lambda a, b: (polynomial(b) - a - 1, False)
equal = lambda a, b: (polynomial(a) - b, True)
in_range = lambda a, size: [below(a, size), at_most(0, a)]

# --- Expressions ------------------------------------------------------------------------------------------------------
# An expression is a tuple: ("number", 5), ("name", "N"), ("+", left, right), ("unary -", operand), ("int8", operand),
# ("min", left, right), ("?", condition, then, otherwise), ("table", element, ..., index), ("let", "x", value, body).

RANGES = {f"{sign}int{bits}": (0 if sign else -(2**bits) // 2, 2**bits)  # the least value of a type, and their number
          for sign in ("", "u") for bits in (8, 16, 32, 64)}
OPERATORS = {"+": Polynomial.__add__, "-": Polynomial.__sub__, "*": Polynomial.__mul__, "unary -": Polynomial.__neg__,
             "floordiv": Polynomial.__floordiv__, "mod": Polynomial.__mod__, "and": Polynomial.__and__,
             "&": Polynomial.__and__, "ceildiv": ceildiv, "<=": at_most, "<": below, "==": equal}

class Parser:
    TOKEN = re.compile(r"0[xX][0-9a-fA-F]+|[0-9]+|[A-Za-z_][A-Za-z0-9_]*|<<|>>|[<>=!]=|&&|\|\||[][()?:,=<>!~|^&+*/%-]")
    LEVELS = "||", "&&", "|", "^", "&", "== !=", "< <= > >=", "<< >>", "+ -", "* / % floordiv ceildiv mod"
    LEVEL = {name: level for level, names in enumerate(LEVELS) for name in names.split()}  # 0: the loosest

    def __init__(self, text):
        self.tokens, self.at = [*self.TOKEN.findall(text), ""], 0
        spend(len(text))
        expect("".join(self.tokens) == re.sub("[ \t\r]", "", text), "operators and operands")

    def take(self, *tokens):
        """Takes the next token and returns true if it is one of these."""
        is_taken = self.tokens[self.at] in tokens
        self.at += is_taken
        return is_taken

    def need(self, is_right, expected):
        expect(is_right, f"{expected} before '{' '.join(self.tokens[self.at:self.at + 5])[:40]}'")

    def list(self, end, count=None, parse=None):
        """Returns what `parse` finds, again after each comma, and takes the token after them."""
        parts = [(parse or self.expression)()]
        while self.take(","):
            parts.append((parse or self.expression)())
        self.need(self.take(end) and count in (None, len(parts)), f"{count or 'operands'} and then '{end}'")
        return parts

    def expression(self, level=0):
        """Parses operators of this level and tighter ones."""
        left = self.operand()
        while self.LEVEL.get(name := self.tokens[self.at], -1) >= level:
            self.at += 1
            left = (name, left, self.expression(self.LEVEL[name] + 1))
        return ("?", left, *self.list(":", 1), self.expression()) if level == 0 and self.take("?") else left

    def operand(self):
        token = self.tokens[self.at]
        if self.take("+"):
            return self.operand()
        if self.take("-", "!", "~"):
            return ("unary " + token, self.operand())
        if self.take("("):
            return self.list(")", 1)[0]
        if self.take("["):
            elements = self.list("]")
            self.need(self.take("["), "'['")
            return ("table", *elements, *self.list("]", 1))
        if self.take("min", "max", *RANGES):
            self.need(self.take("("), "'('")
            return (token, *self.list(")", 1 if token in RANGES else 2))
        if self.take("let"):
            kind, name, *_ = self.operand()
            self.need(kind == "name" and self.take("="), "a name and '='")
            return ("let", name, *self.list("in", 1), self.expression())
        is_number = re.fullmatch("0|[1-9][0-9]{0,99}|0[xX].{1,99}", token)
        self.need(is_number or re.match("[A-Za-z_]", token) and token not in self.LEVEL, "an operand")
        self.at += 1
        return ("number", int(token, 0)) if is_number else ("name", token)

def parse_all(text):
    """Parses one or more formulas with commas between them, and perhaps parentheses around them if there are more."""
    parser = Parser(text)
    formulas = parser.list(")") if parser.take("(") else []
    parser.need(len(formulas) < 2 or parser.take(""), "the end of the text")
    return formulas if len(formulas) > 1 else Parser(text).list("")

def names_in(expression):
    """Returns the names in the order of the text, except those that a let binds."""
    kind, *parts = expression
    if kind in ("number", "name"):
        return parts if kind == "name" else []
    bound = parts.pop(0) if kind == "let" else None
    return [name for part in parts for name in names_in(part) if name != bound]

def compute(expression, values):
    """Returns the polynomial or fact that an expression of OPERATORS is if its names have these values."""
    kind, *parts = expression
    if kind in ("number", "name"):
        return values[parts[0]] if kind == "name" else polynomial(parts[0])
    return OPERATORS[kind](*(compute(part, values) for part in parts))

# --- Proofs -----------------------------------------------------------------------------------------------------------
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
P1  x q r       : x == 2 * q + r, 0 <= r, r < 2 |- x * x == x + 2 * (q * x - q + q * r)
C4  x y s t     : x == s, y == t |- (x & y) == (s & t)
B1  x y         : 0 <= x |- 0 <= (x & y), (x & y) <= x
B2  x s         : x == s |- (x & s) == x
B3  x y z c d   : c == (x & y), d == (y & z) |- (c & z) == (x & d)
B4  x y z c s   : c == (x & y), s == x + y - c |- (s & z) == (x & z) + (y & z) - (c & z)
B5  x y z c s   : c == (x & y), s == x + y - 2 * c |- (s & z) == (x & z) + (y & z) - 2 * (c & z)
B6  x y s       : s + x + 1 == 0 |- (s & y) == y - (x & y)
B7  x p q       : 1 <= p, q == p - 1, (p & q) == 0 |- (x & q) == x mod p
B8  x y p q m   : 1 <= p, q == p - 1, (p & q) == 0, 0 <= x, x < p, m == y mod p |- (x & y) == (x & m)
B9  x y p q u v : 1 <= p, q == p - 1, (p & q) == 0, x mod p == 0, u == x floordiv p, v == y floordiv p
                |- (x & y) == p * (u & v)
B10 x y p q c   : 1 <= p, q == p - 1, (p & q) == 0, 0 <= x, x < p, 0 <= y, y < p, c == (x & y) |- x + y - c < p"""

LEMMAS = {}  # parameters, premises and conclusions by name
for _lemma in re.split(r"\n(?=\w)", LEMMA_TEXTS)[1:]:
    (_name, *_parameters), _premises, _conclusions = (part.split() for part in re.split(r":|\|-", _lemma))
    LEMMAS[_name] = (_parameters, *(Parser(" ".join(side)).list("") for side in (_premises, _conclusions)))
MULTIPLE = re.compile(r"(?:(-?[0-9]{1,99}(?:/[1-9][0-9]{0,99})?)\*)?([1-9][0-9]{0,11})")

class Sequent:
    """Goals that follow from hypotheses. Facts have numbers from 1: first the hypotheses, then those that steps add."""
    def __init__(self, lines):
        self.lines, self.facts, self.goals, self.named = lines, [], [], {}  # named: what names in steps stand for

    def new_variable(self, name):
        """Returns a variable that is in no fact or goal yet."""
        while name in self.named:
            name += "!"
        self.named[name] = unknown(name)
        return self.named[name]

    def new_point(self, letter, sizes):
        """Returns new variables, each at least 0 and below its size."""
        point = [self.new_variable(f"{letter}{d}") for d in range(len(sizes))]
        self.facts += chain(*((at_most(0, x), below(x, size)) for x, size in zip(point, sizes)))
        return point

    def parse(self, text):
        """Returns the polynomial that a text such as `3*N*!1 - i0 + 7` stands for."""
        spend(len(text))
        expect(text == text.strip(" ") and "  " not in text, "words with one blank between them")
        total = polynomial(0)
        for addend in re.split(r"\+|(?!^)(?=-)", text):
            factors = [factor.strip(" ") for factor in addend.removeprefix("-").split("*")]
            values = [int(factor) if re.fullmatch("0|[1-9][0-9]{0,99}", factor) else self.named.get(factor)
                      for factor in factors]
            expect(None not in values, "polynomials over names of the claim or of atoms")
            total += product_of(values) * (-1 if addend.startswith("-") else 1)
        return total

    def require(self, goal, words):
        """Refuses unless a combination such as `4 2*7 -1/3*9`, fact 4 plus 2 times fact 7 minus a third of fact 9,
        shows the goal, or the two around `|` show both directions of an equation."""
        (target, is_equation), last, digits = goal, 0, 0
        if is_equation and "|" in words:
            self.require((target, False), words[:words.index("|")])
            return self.require((-target, False), words[words.index("|") + 1:])
        rest = dict(target)
        for word in words:
            found = MULTIPLE.fullmatch(word)
            expect(found and last < int(found[2]) <= len(self.facts), f"facts in order, not '{word[:40]}'")
            multiplier, last, digits = Fraction(found[1] or 1), int(found[2]), digits + len(word)
            summand, is_zero = self.facts[last - 1]
            expect(multiplier and found[1] in (None, str(multiplier)), f"lowest terms, not '{word[:40]}'")
            expect(is_zero or multiplier > 0 and not is_equation, f"an equation, or a multiple > 0, not '{word[:40]}'")
            spend(len(summand) * (1 + digits // 10))
            for factors, coefficient in summand.items():
                rest[factors] = rest.get(factors, 0) - multiplier * coefficient
        constant = rest.pop((), 0)  # An integer above -1 is at least 0. Nothing else is rounded.
        expect(not any(rest.values()) and (constant == 0 if is_equation else constant > -1), "a sum that shows it")

    def take_step(self):
        """Takes an atom, lemma or cut, if there is one."""
        kind, premises, conclusions = self.lines.here().partition(" ")[0], [], []
        if kind == "atom":
            name, operator, *xy = self.lines.take("atom (![0-9]+) (floordiv|mod|and) ([^;]*) ; ([^;]*)").groups()
            expect(name not in self.named, "a new name")
            self.named[name] = OPERATORS[operator](*map(self.parse, xy))
        elif kind == "cut":
            premises = conclusions = [at_most(0, self.parse(self.lines.take("cut (.*)")[1]))]
        elif kind == "lemma":
            name, texts = self.lines.take("lemma ([^ ]+) (.*)").groups()
            parameters, *sides = LEMMAS.get(name, ([], [], []))
            arguments = [*map(self.parse, texts.split(" ; "))]
            expect(len(parameters) == len(arguments), f"one of {' '.join(LEMMAS)} and its arguments")
            values = dict(zip(parameters, arguments))
            premises, conclusions = ([compute(relation, values) for relation in side] for side in sides)
        for premise in premises:
            self.require(premise, self.lines.take("by( .*)?")[0].split(" ")[1:])
        self.facts += conclusions
        return kind in ("atom", "cut", "lemma")

    def check(self):
        """Follows the steps and requires the goals."""
        while self.take_step():
            self.lines.steps += 1
        self.lines.steps += len(self.goals)
        if self.lines.here().startswith("false"):  # The facts contradict each other, so all goals hold.
            return self.require(at_most(1, 0), self.lines.take("false( .*)?")[0].split(" ")[1:])
        for goal in self.goals:
            self.require(goal, self.lines.take("goal( .*)?")[0].split(" ")[1:])
