# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Claims of certificates about formulas: that a formula is the linear index of a layout, or equals another formula.

A claim is shown path by path. Where a value depends on a condition, the next line says how the path goes on. `+` or
`-`: the condition is true or false, which is a goal. `Y` or `N`: a decision, whose condition or its negation becomes a
hypothesis. After a path that decided Y comes the one that decides N there, so each point of the domain takes one path.
The assumptions and formulas are evaluated first; then come the steps and the goals.
"""
import re

from certificate_proofs import OPERATORS, Parser, Sequent, at_most, below, equal, polynomial, refuse_unless, spend
from tiled_layouts import Layout, closed_formula

INDEX, DIMENSION = re.compile("i(0|[1-9][0-9]{0,8})"), re.compile("d(0|[1-9][0-9]{0,8})")
CASTS = {f"{sign}int{bits}": (bits, not sign) for sign in ("", "u") for bits in (8, 16, 32, 64)}


class FormulaParser(Parser):
    """Adds C's operators, ("min", a, b), ("max", a, b), casts such as ("int8", a), tables [a, b, c][i] as
    ("table", [elements], index), and `let x = a in b` as ("let", "x", value, body)."""

    TOKEN = re.compile(r"0[xX][0-9a-fA-F]+|[0-9]+|[A-Za-z_][A-Za-z0-9_]*|<<|>>|[<>=!]=|&&|\|\||[][()?:,=<>!~|^&+*/%-]")
    LEVELS = ["||", "&&", "|", "^", "&", "== !=", "< <= > >=", "<< >>", "+ -", "* / % floordiv ceildiv mod"]

    def expression(self, level=0):
        left = super().expression(level)
        return ("?", left, *self.group(":", 1), self.expression()) if level == 0 and self.take("?") else left

    def operand(self):
        token = self.tokens[self.at]
        if self.take("+", "!", "~"):
            return ("unary " + token, self.operand())
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
        return super().operand()


def parse_all(text):
    """Parses one or more formulas with commas between them."""
    return FormulaParser(text).group("")


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
        over, formula, equals, assumptions = (sum(map(parse_all, claim[part]), [])
                                              for part in ("over", "formula", "equals", "assume"))
        refuse_unless(len(formula) == 1 and len(equals) == len(claim["equals"]) and (equals or layout)
                      and not (layout and over), "expected one formula, and a layout or one formula that it equals")
        texts = [name for expression in over + formula + equals + assumptions for name in names_in(expression)]
        names = self.domain_of_layout(layout) if layout else self.domain_of_names(over, list(dict.fromkeys(texts)))
        try:
            is_in_domain = all(self.truth(assumption, names) for assumption in assumptions + over)
        except NoValue:
            is_in_domain = False
        try:
            if is_in_domain and equals:
                expected = self.value(equals[0], names)
            elif is_in_domain:
                index = [names[f"i{d}"] for d in range(len(layout.dimensions))]
                expected, _ = closed_formula(layout.bind(names), index)
            self.goals += [equal(self.value(formula[0], names), expected)] if is_in_domain else []
        except NoValue:
            self.goals.append(at_most(1, 0))  # so no point may take this path
        self.take_splits()

    def domain_of_layout(self, layout):
        # No size is 0, as there is an index.
        return self.domain(dict.fromkeys(layout.names, 1), dict(enumerate(layout.dimensions)))

    def domain_of_names(self, over, texts):
        """Returns the values of the names in the texts; `over` may bound indices."""
        bounds, least, sizes = {}, {}, {}
        for kind, *operands in over:
            is_bound = kind == "<" and operands[0][0] == "name" and INDEX.fullmatch(operands[0][1])
            refuse_unless(is_bound and operands[0][1][1:] not in bounds,
                          "expected bounds such as i0 < M, i1 < 2 * N after over")
            bounds[operands[0][1][1:]] = operands[1]
        indices = sorted((name[1:] for name in texts if INDEX.fullmatch(name)), key=int)
        refuse_unless(not bounds or bounds.keys() == {*indices}, "expected one bound for each index after over")
        for name in texts:
            is_dimension = DIMENSION.fullmatch(name) and name[1:] in indices
            if not INDEX.fullmatch(name) and not (is_dimension and name[1:] in bounds):
                least[name] = int(bool(("name", name) in bounds.values() or is_dimension))
        for k in indices:
            kind, size, *_ = bounds.get(k, ("name", f"d{k}"))
            sizes[k] = size if kind == "number" or kind == "name" and size in least else None
        return self.domain(least, sizes)

    def domain(self, least, sizes):
        """Adds hypotheses about names of these least values and indices of these sizes. Returns the names' values."""
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
        refuse_unless(re.fullmatch(pattern, line), f"'{line[:40]}', expected the outcome of a condition: {pattern}")
        self.outcomes.append((line, None))
        words, _, number = line.rpartition(" ")
        return (words, int(number)) if words and number[-1].isdigit() else (line, None)

    def holds(self, a, b):
        """Returns true if a <= b on this path."""
        a, b = polynomial(a), polynomial(b)
        if None not in (a.constant, b.constant):
            return a.constant <= b.constant
        outcome, _ = self.take_outcome("[-+YN]")
        is_true = outcome in ("+", "Y")
        (self.facts if outcome in ("Y", "N") else self.goals).append(at_most(a, b) if is_true else below(b, a))
        return is_true

    def are_equal(self, a, b):
        if None in (a.constant, b.constant) and self.lines.here() == "=":
            self.take_outcome("=")
            self.goals.append(equal(a, b))
            return True
        return not self.holds(a + 1, b) and not self.holds(b + 1, a)

    def need(self, *conditions):
        if not all(self.holds(a, b) for a, b in conditions):
            raise NoValue

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
        return not self.are_equal(self.value(expression, names), polynomial(0))

    def value(self, expression, names):
        """Returns the polynomial that the expression is on this path if names stand for polynomials."""
        kind, *operands = expression
        if kind in ("name", "let"):
            refuse_unless((operands[0] in names) == (kind == "name"),
                          f"'{operands[0][:40]}', expected a name that is known, or a new one after let")
        if kind in ("number", "name"):
            return names[operands[0]] if kind == "name" else polynomial(operands[0])
        if kind == "let":
            spend(len(names))
            return self.value(operands[2], {**names, operands[0]: self.value(operands[1], names)})
        if kind == "?":
            return self.value(operands[1 if self.truth(operands[0], names) else 2], names)
        if kind in ("unary !", "&&", "||"):
            truths = (self.truth(operand, names) for operand in operands)  # evaluated as needed
            is_true = not next(truths) if kind == "unary !" else all(truths) if kind == "&&" else any(truths)
            return polynomial(int(is_true))
        if kind == "table":
            elements, i = [self.value(element, names) for element in operands[0]], self.value(operands[1], names)
            self.need((0, i), (i + 1, len(elements)))
            return elements[self.between(i, 0, len(elements) - 1)]
        return polynomial(self.apply(kind, *(self.value(operand, names) for operand in operands)))

    def apply(self, kind, a, b=None):
        """Returns the value of an operator."""
        if kind in ("<", "<=", ">", ">="):
            a, b = (a, b) if kind[0] == "<" else (b, a)
            return int(self.holds(a if kind[1:] else a + 1, b))
        if kind in ("==", "!="):
            return int(self.are_equal(a, b) == (kind == "=="))
        if kind in ("min", "max"):
            return a if self.holds(a, b) == (kind == "min") else b
        if kind in CASTS:
            bits, is_signed = CASTS[kind]
            least = -(2 ** (bits - 1)) if is_signed else 0
            if a.constant is None and self.take_outcome("fit|wrap")[0] == "fit":
                self.goals += [at_most(least, a), at_most(a, least + 2**bits - 1)]
                return a
            return (a - least) % 2**bits + least
        if kind in ("/", "%"):  # C's, which round to 0
            is_positive = self.holds(1, b)
            self.need(*([] if is_positive else [(b + 1, 0)]))
            is_natural = self.holds(0, a)
            size, magnitude = b if is_positive else -b, a if is_natural else -a
            result = magnitude // size if kind == "/" else magnitude % size
            return result if is_natural == (is_positive or kind == "%") else -result
        if kind in ("<<", ">>"):
            self.need((0, b), (b, 63))
            amount = self.number(b, 6)
            refuse_unless(0 <= amount <= 63, "expected an amount of a shift between 0 and 63")
            return a * 2**amount if kind == "<<" else a // 2**amount
        if kind in ("&", "|", "^"):
            return self.common_bits(a, b) if kind == "&" else a + b - self.common_bits(a, b) * (1 if kind == "|" else 2)
        self.need(*([(1, b)] if kind in ("floordiv", "ceildiv", "mod") else []))
        if kind in ("unary +", "unary ~"):
            return a if kind == "unary +" else -1 - a
        return OPERATORS[kind](a) if b is None else OPERATORS[kind](a, b)

    def common_bits(self, a, b):
        """Returns a & b."""
        for x, mask in ((a, b), (b, a)):
            if mask.constant is not None:
                return masked(x, mask.constant)
        kind, bits = self.take_outcome("mask (left|right)|disjoint (left|right) ([0-9]|[1-5][0-9]|6[0-3])")
        x, other = (a, b) if kind.endswith("left") else (b, a)
        if bits is None:
            return masked(other, self.number(x, 4))
        self.goals += [at_most(0, other), below(other, 2**bits), equal(x % 2**bits, 0)]  # no bit of one is in the other
        return polynomial(0)

    def take_splits(self):
        """Takes decisions that no formula asks for, with the atoms in them."""
        while self.lines.here().startswith(("atom ", "split ")):
            if self.lines.here().startswith("atom "):
                self.take_step(self.lines)
                continue
            _, *text, outcome = self.lines.take().split(" ")
            condition = self.parse(" ".join(text))
            refuse_unless(outcome in ("Y", "N"), "expected `split POLYNOMIAL Y` or `split POLYNOMIAL N`")
            self.outcomes.append((outcome, condition))
            self.facts.append(at_most(0, condition) if outcome == "Y" else below(condition, 0))


def check_paths(claim, lines):
    begin, is_complete = [], False
    while not is_complete:
        lines.expect("path")
        path = Path(claim, lines)
        rest = path.outcomes[len(begin):]
        refuse_unless(path.outcomes[:len(begin)] == begin and all(outcome != "N" for outcome, _ in rest),
                      "the decisions of this path, expected those of the path before up to its last Y, N there, then Y")
        path.check(lines)
        begin = path.outcomes
        while begin and begin[-1][0] != "Y":
            begin.pop()
        is_complete = not begin
        begin[-1:] = [("N", condition) for _, condition in begin[-1:]]
