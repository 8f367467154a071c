# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a proof is: polynomials, facts about them, lemmas, and the steps that lead from hypotheses to goals.

This module and the lemmas in it are what every verdict of verify_certificate.py rests on.
"""
import re
import sys
from fractions import Fraction
from itertools import product

# Limits, with which each certificate is decided within about a minute.
MAX_WORK = 50_000_000  # characters of polynomials and formulas, addends, factors and digits of numbers
sys.setrecursionlimit(8000)  # bounds how deep expressions nest; the prover's limit is 400 levels


class Refused(Exception):
    """The certificate does not prove its claim. The message says why, and what was expected."""


def refuse_unless(is_right, message):
    if not is_right:
        raise Refused(message)


# --- Polynomials --------------------------------------------------------------------------------------------------
# The integers of a claim are polynomials with integer coefficients over unknowns: variables, and quotients and
# remainders of two polynomials, which are not simplified. Sums and products are multiplied out, so that polynomials
# which are equal in every ring are the same. A quotient or remainder by a divisor below 1 may be any integer: no lemma
# says more of it than that it is always the same one.


class Polynomial(dict):
    """A sum: maps each product of unknowns, the sorted tuple of their numbers, to its coefficient, which is not 0."""

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


def divide(operator, x, y):
    if None in (x.constant, y.constant) or y.constant < 1:
        return unknown((operator, x, y))
    return polynomial(x.constant // y.constant if operator == "floordiv" else x.constant % y.constant)


unknown = lambda key: Polynomial({(Polynomial.numbers.setdefault(key, len(Polynomial.numbers)),): 1})
polynomial = lambda value: value if isinstance(value, Polynomial) else Polynomial({(): value})
ceildiv = lambda x, y: (x + y - 1) // y
# A fact is a pair: a polynomial, and True if it is 0, or False if it is at least 0.
at_most = lambda a, b: (polynomial(b) - a, False)
below = lambda a, b: (polynomial(b) - a - 1, False)
equal = lambda a, b: (polynomial(a) - b, True)

# --- Expressions --------------------------------------------------------------------------------------------------
# An expression is a tuple: ("number", 5), ("name", "N"), ("+", left, right), ("unary -", operand). formula_paths.py has
# more of them.


class Parser:
    TOKEN = re.compile("[0-9]+|[A-Za-z_!][A-Za-z0-9_!]*|<=|==|[()<,*+-]")
    LEVELS = ["== <= <", "+ -", "* floordiv ceildiv mod"]  # operators, loosest first

    def __init__(self, text):
        self.text, self.tokens, self.at = text, [*self.TOKEN.findall(text), ""], 0
        self.level = {name: level for level, names in enumerate(self.LEVELS, 1) for name in names.split()}
        self.expect("".join(self.tokens) == re.sub("[ \t\r]", "", text), "operators and operands")
        spend(len(text))

    def expect(self, is_right, expected):
        if not is_right:
            here = self.tokens[self.at][:40]
            raise Refused(f"'{self.text[:99]}': '{here}' as token {self.at + 1}, expected {expected}")

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


# --- Lemmas -------------------------------------------------------------------------------------------------------
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
             "floordiv": Polynomial.__floordiv__, "mod": Polynomial.__mod__, "ceildiv": ceildiv,
             "<=": at_most, "<": below, "==": equal}


def compute(expression, values):
    """Returns the polynomial or fact that an expression of OPERATORS is if its names have these values."""
    kind, *operands = expression
    if kind in ("number", "name"):
        return values[operands[0]] if kind == "name" else polynomial(operands[0])
    return OPERATORS[kind](*(compute(operand, values) for operand in operands))


# --- Proofs -------------------------------------------------------------------------------------------------------
# A sequent: its goals follow from its hypotheses. Facts have numbers from 1: first the hypotheses, then those that
# steps add. A combination `4 2*7 -1/3*9` is a sum of multiples of facts: fact 4 plus 2 times fact 7 minus a third of
# fact 9.

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
                          f"'{word[:40]}', expected [MULTIPLIER*]FACT in lowest terms, facts in order up to "
                          f"{len(self.facts)}")
            last, digits, (summand, is_zero) = number, digits + len(word), self.facts[number - 1]
            only_equations = only_equations and is_zero
            refuse_unless(multiplier > 0 or is_zero, f"'{word[:40]}', expected a multiplier > 0 of an inequality")
            spend(len(summand) * (1 + digits // 10))
            for factors, coefficient in summand.items():
                rest[factors] = rest.get(factors, 0) - multiplier * coefficient
        constant = rest.pop((), 0)
        refuse_unless(not any(rest.values()), "the combination has other unknowns than the statement")
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
            lines.steps += 1
        lines.steps += len(self.goals)
        is_contradiction = lines.here().startswith("false")  # then all goals hold
        for goal in [at_most(1, 0)] if is_contradiction else self.goals:
            self.require(goal, lines.take_words("false" if is_contradiction else "goal"))
