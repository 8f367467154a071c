# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks claims about formulas, path by path or point by point.

Where a value depends on a condition, the next line says how the path goes on. `+` or `-`: the condition is true or
false, which is a goal. `Y` or `N`: a decision, whose condition or its negation becomes a hypothesis. After a path that
decided Y comes the one that decides N there, so each point of the domain takes one path. The assumptions and formulas
are evaluated first; then come the steps and the goals.
"""
import re
from itertools import chain

from certificate_steps import (MAX_NAMES, MAX_POINTS, OPERATORS, RANGES, Sequent, at_most, below, compute, equal,
                               expect, in_range, names_in, polynomial, spend, total_of)
from tiled_layouts import Chain, Layout

class NoValue(Exception):
    """A formula has no value on this path, for example because it divides by 0."""

INTEGERS = {name + language: (least, 2**bits, bits) for language in ("", ":c++20")  # the least value, number of values
            for name, least, bits in (("int32", -2**31, 32), ("uint32", 0, 32), ("int64", -2**63, 64))}

class Path(Sequent):
    """A path through the formulas of a claim, up to its steps."""
    def __init__(self, lines, integer=""):
        super().__init__(lines)
        self.outcomes = []  # pairs of a line and None, or of Y or N and the polynomial of a split
        # Equal values rest on the outcomes: they become facts when the goals of these are shown.
        self.late_facts, self.late_goals = [], []
        self.integer = integer  # the type in which no part of a formula may overflow, or ""
        self.parts = []  # what was evaluated: (operator, operand, operand) for << >> %, ("", value, None) for each part

    def take_outcome(self, pattern):
        """Takes the line that says how a condition goes, and returns its words."""
        line = self.lines.take(pattern)[0]
        self.outcomes.append((line, None))
        return line.split(" ")

    def holds(self, a, b):
        """Returns true if a <= b on this path."""
        a, b = polynomial(a), polynomial(b)
        if None not in (a.constant, b.constant):
            return a.constant <= b.constant
        outcome, = self.take_outcome("[-+YN]")
        fact = at_most(a, b) if outcome in "+Y" else below(b, a)
        (self.facts if outcome in "YN" else self.goals).append(fact)
        return outcome in "+Y"

    def are_equal(self, a, b):
        if None in (a.constant, b.constant) and self.lines.here() == "=":
            self.take_outcome("=")
            self.goals.append(equal(a, b))
            return True
        return not self.holds(a + 1, b) and not self.holds(b + 1, a)

    def need(self, a, b):
        if not self.holds(a, b):
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
        self.goals += [equal(x, int(n))] if kind == "=" else [at_most(0, x), below(x, 2**int(n))]
        return int(n) if kind == "=" else self.between(x, 0, 2**int(n) - 1)

    def truth(self, expression, names):
        return not self.are_equal(self.value(expression, names), polynomial(0))

    def value(self, expression, names, parent=None):
        """Returns the polynomial that the expression is on this path if names stand for polynomials."""
        kind, *operands = expression
        if kind in ("name", "let"):
            expect((operands[0] in names) == (kind == "name"), "names that are known, and a new one after let")
        if kind in ("number", "name"):
            value = names[operands[0]] if kind == "name" else operands[0]
        elif kind == "let":
            spend(len(names))
            value = self.value(operands[2], {**names, operands[0]: self.value(operands[1], names)})
        elif kind == "?":
            value = self.value(operands[1 if self.truth(operands[0], names) else 2], names)
        elif kind in ("unary !", "&&", "||"):
            truths = (self.truth(operand, names) for operand in operands)  # evaluated as needed
            value = not next(truths) if kind == "unary !" else all(truths) if kind == "&&" else any(truths)
        else:
            values = [self.value(operand, names, kind) for operand in operands]
            value = self.apply(kind, *values)
            self.parts += [(kind, *values)] * (kind in ("<<", ">>", "%"))
        # In a & ~b, an unsigned type has another value of ~b, with the same bits.
        if not (parent == "&" and kind == "unary ~" and self.integer.startswith("u")):
            self.parts.append(("", polynomial(value), None))
        return polynomial(value)

    def apply(self, kind, a, b=None, *others):
        """Returns the value of an operator."""
        if kind in ("<", "<=", ">", ">="):
            a, b = (a, b) if kind[0] == "<" else (b, a)
            return self.holds(a if kind[1:] else a + 1, b)
        if kind in ("==", "!="):
            return self.are_equal(a, b) == (kind == "==")
        if kind in ("min", "max"):
            return a if self.holds(a, b) == (kind == "min") else b
        if kind == "unary ~":
            return -a - 1
        if kind == "table":
            *elements, i = (a, b, *others)
            self.need(0, i)
            self.need(i + 1, len(elements))
            return elements[self.between(i, 0, len(elements) - 1)]
        if kind in RANGES:
            least, count = RANGES[kind]
            if a.constant is None and self.take_outcome("fit|wrap") == ["fit"]:
                self.goals += [at_most(least, a), below(a, least + count)]
                return a
            return (a - least) % count + least
        if kind in ("/", "%"):  # C's, which round to 0
            is_positive = self.holds(1, b)
            if not is_positive:
                self.need(b + 1, 0)
            is_natural = self.holds(0, a)
            result = OPERATORS["floordiv" if kind == "/" else "mod"](a if is_natural else -a, b if is_positive else -b)
            return result if is_natural == (is_positive or kind == "%") else -result
        if kind in ("<<", ">>"):
            self.need(0, b)
            self.need(b, 63)
            amount = self.number(b, 6)
            expect(0 <= amount <= 63, "an amount of a shift between 0 and 63")
            return a * 2**amount if kind == "<<" else a // 2**amount
        if kind in ("&", "|", "^"):
            return self.common_bits(a, b) if kind == "&" else a + b - self.common_bits(a, b) * (1 if kind == "|" else 2)
        if kind in ("floordiv", "ceildiv", "mod"):
            self.need(1, b)
        return OPERATORS[kind](a) if b is None else OPERATORS[kind](a, b)

    def common_bits(self, a, b):
        """Returns a & b."""
        for x, mask in ((a, b), (b, a)):
            if mask.constant is not None:
                return self.masked(x, mask.constant)
        kind, *words = self.take_outcome("common|mask (left|right)|disjoint (left|right) ([0-9]|[1-5][0-9]|6[0-3])")
        x, other = (a, b) if "left" in words else (b, a)
        if kind != "disjoint":
            return a & b if kind == "common" else self.masked(other, self.number(x, 4))
        size = 2 ** int(words[1])
        self.goals += [at_most(0, other), below(other, size), equal(x % size, 0)]  # no bit of one is in the other
        return 0

    def masked(self, x, mask):
        """Returns x & mask in two's complement: the sum of the runs of bits that are set in the mask."""
        if x.constant is not None or mask < 0:
            return x - self.masked(x, -1 - mask) if x.constant is None else polynomial(x.constant & mask)
        runs = ((run.start(), len(run[0])) for run in re.finditer("1+", f"{mask:b}"[::-1]))
        return total_of((x // 2**low if low else x) % 2**length * 2**low for low, length in runs)

    def require_fit(self):
        """Adds goals: the values of all parts fit the integer type, and C defines the operations."""
        least, count, bits = INTEGERS[self.integer]
        for kind, a, b in self.parts:
            goals = [] if kind else [at_most(least, a), below(a, least + count)]
            goals += [below(b, bits)] if kind in ("<<", ">>") else []
            goals += [at_most(0, a)] if kind == "<<" and self.integer in ("int32", "int64") else []
            # The least value % -1 is undefined.
            if kind == "%" and least and not (self.holds(1, b) or self.holds(least + 1, a) or self.holds(b, -2)):
                goals.append(at_most(1, 0))
            self.goals += (goal for goal in goals if goal[0].constant is None or goal[0].constant < 0)

    def take_splits(self):
        """Takes decisions that no formula asks for, with the atoms in them."""
        while self.lines.here().startswith(("atom ", "split ")):
            if self.lines.here().startswith("atom "):
                self.take_step()
                continue
            text, outcome = self.lines.take("split (.*) ([YN])").groups()
            self.outcomes.append((outcome, self.parse(text)))
            self.facts.append(at_most(0, self.parse(text)) if outcome == "Y" else below(self.parse(text), 0))

def number_after(letter, name):
    """Returns "7" for the letter i and the name i7, and None for other names."""
    found = re.fullmatch(f"{letter}(0|[1-9][0-9]{{0,8}})", name)
    return found and found[1]

class FormulaClaim:
    """A law of formulas, about names and points of indices. Without bounds, the index i0 may have the size d0."""
    SHAPES = {"formula": "(layout |over )?formula equals|layout formula", "injective": "(layout|over) formula",
              "in-bounds": "(layout |over )?formula below",
              "no-overflow": "layout own integer|(layout|over) formula integer"}  # the parts that a claim has

    def __init__(self, law, claim):
        parts = " ".join(part for part in claim if claim[part] and part not in ("assume", "signed"))
        expect(re.fullmatch(self.SHAPES.get(law, "none"), parts), "a law of formulas with what it is about")
        self.law, self.claim, self.integer, over = law, claim, "".join(claim["integer"]), claim["over"]
        self.formulas, self.others = claim["own"] + claim["formula"], claim["equals"] + claim["below"]
        self.assumptions = claim["assume"] + over
        expect((len(self.formulas) == 1 or law == "injective") and len(self.others) < 2
               and (self.integer in INTEGERS) == bool(claim["integer"]),
               f"one formula, not a list, and one of {' '.join(INTEGERS)}")
        self.least, self.sizes = {}, {}  # least values of names; sizes of indices, or None if none is a hypothesis
        self.layout = Layout(*claim["layout"]) if claim["layout"] else None
        if self.layout:  # No size is 0, as there is an index.
            self.least = dict.fromkeys(self.layout.names, 1)
            self.sizes = {str(k): ("name" if size in self.least else "number", size)
                          for k, size in enumerate(self.layout.dimensions)}
        else:
            self.read_names(over)
        for name in claim["signed"]:
            expect(self.least.get(name) == 0 and not number_after("d", name),
                   "names of the formulas after signed, each once, and none that is a size")
            self.least[name] = None

    def read_names(self, over):
        """Finds the names and indices of a claim without a layout."""
        claim, bounds = self.claim, {}
        for kind, *sides in over:
            k = number_after("i", sides[0][1]) if kind == "<" and sides[0][0] == "name" else None
            expect(k and k not in bounds, "bounds such as i0 < M, i1 < 2 * N after over")
            bounds[k] = sides[1]
        names = dict.fromkeys(sum(map(names_in, over + self.formulas + self.others + claim["assume"]), []))
        indices = sorted(filter(None, (number_after("i", name) for name in names)), key=int)
        expect(not bounds or bounds.keys() == {*indices}, "one bound for each index after over")
        for name in names:
            if not number_after("i", name) and number_after("d", name) not in bounds:
                self.least[name] = int(("name", name) in bounds.values() or number_after("d", name) in indices)
        for k in indices:
            kind, size, *_ = bound = bounds.get(k, ("name", f"d{k}"))
            self.sizes[k] = bound if kind == "number" or kind == "name" and size in self.least else None

    def domain(self, path):
        """Adds the hypotheses about names and indices, and returns the values of all names at each point."""
        values = {name: path.new_variable(name) for name in self.least}
        points = [{f"i{k}": path.new_variable(f"{letter}{k}") for k in self.sizes}
                  for letter in ("ij" if self.law == "injective" else "i")]
        path.facts += (at_most(least, values[name]) for name, least in self.least.items() if least is not None)
        path.facts += (at_most(0, i) for point in points for i in point.values())
        bounds = self.bounds(values)
        path.facts += (below(point[f"i{d[1:]}"], bound) for point in points for d, bound in bounds.items())
        return [{**values, **bounds, **point} for point in points]

    def bounds(self, values):
        return {f"d{k}": compute(size, values) for k, size in self.sizes.items() if size}

    def state(self, path, points):
        """Evaluates the formulas at the points, and adds what is to be shown there."""
        names, claimed, expected = points[0], [], None
        if self.layout:
            chain = Chain(self.layout, names)
            expected, elements = chain.closed_formula([names[f"i{d}"] for d in range(len(chain.dimensions))])
            if self.integer:  # The claim is about arrays of at most as many bytes as the largest value.
                least, count, _ = INTEGERS[self.integer]
                path.facts.append(at_most(elements * self.layout.bits, (least + count - 1) * 8))
        try:
            if not all(path.truth(assumption, point) for point in points for assumption in self.assumptions):
                return
        except NoValue:
            return
        path.parts.clear()
        try:
            if self.law == "injective":
                values = [[path.value(formula, point) for point in points] for formula in self.formulas]
                path.late_facts = [equal(i, j) for i, j in values]
                path.late_goals = [equal(names[f"i{k}"], points[1][f"i{k}"]) for k in self.sizes]
            else:
                expected = path.value(self.others[0], names) if self.others else expected
                value = path.value(self.formulas[0], names)
                if self.law != "no-overflow" or self.claim["own"]:
                    claimed = in_range(value, expected) if self.law == "in-bounds" else [equal(value, expected)]
        except NoValue:
            path.goals.append(at_most(1, 0))  # so no point may take this path
        if self.integer:
            path.require_fit()
        path.goals += claimed

    def check(self, lines):
        if lines.here() == "by enumeration" and self.law in ("formula", "in-bounds"):
            return self.check_points(lines)
        begin, is_complete = [], False  # begin: the outcomes with which the next path begins
        while not is_complete:
            lines.take("path")
            path = Path(lines, self.integer)
            self.state(path, self.domain(path))
            path.take_splits()
            expect(path.outcomes[:len(begin)] == begin and "N" not in [kind for kind, _ in path.outcomes[len(begin):]],
                   "the decisions of the path before up to its last Y, N there, and no other N")
            if path.goals or not path.late_goals:
                path.check()
            if path.late_goals:
                path.facts, path.goals = path.facts + path.late_facts, path.late_goals
                path.check()
            begin = path.outcomes
            while begin and begin[-1][0] != "Y":
                begin.pop()
            is_complete = not begin
            begin[-1:] = [("N", condition) for _, condition in begin[-1:]]

    def check_points(self, lines):
        """Checks the claim by evaluating it at each point of its domain."""
        lines.take("by enumeration")
        limits, sizes = {}, {f"i{k}": size for k, size in self.sizes.items()}  # limits: the largest values of names
        least = {name: [value] * (value is not None) for name, value in self.least.items()}  # lower bounds
        for name, is_largest, limit in chain(*map(limits_of, self.assumptions)):
            if is_largest:
                limits[name] = min(limit, limits.get(name, limit))
            elif name in least and self.least[name] is None:
                least[name].append(limit)
        variables = [*self.least, *sizes]
        expect(len(variables) <= MAX_NAMES and all(least.values())
               and all(sizes.get(name) or name in limits for name in variables),
               f"a number that bounds each name, and at most {MAX_NAMES} of them")

        def points(names):
            """Yields the values of all names at each point where these are the first ones."""
            if len(names) == len(variables):
                return (yield {**names, **self.bounds(names)})
            name = variables[len(names)]
            most = [compute(sizes[name], names).constant - 1] if sizes.get(name) else []
            most += [limits[name]] if name in limits else []
            for value in range(max(least.get(name, [0])), min(most) + 1):
                yield from points({**names, name: polynomial(value)})

        for count, names in enumerate(points({}), 1):
            path = Path(lines)
            self.state(path, [names])
            expect(count <= MAX_POINTS, f"at most {MAX_POINTS} points")
            expect(all(p.constant == 0 if is_equation else p.constant >= 0 for p, is_equation in path.goals),
                   f"a claim that holds for {', '.join(f'{name} = {i.constant}' for name, i in names.items())}"[:200])
            lines.steps += 1

def limits_of(condition):
    """Yields the names that a condition compares with a number, True and the largest value that it allows, or False and
    the least one."""
    kind, *sides = condition
    for part in sides if kind == "&&" else []:
        yield from limits_of(part)
    pairs = [sides] * (kind in ("<", "<=", "==")) + [sides[::-1]] * (kind in (">", ">=", "=="))  # smaller, larger
    for pair in pairs:
        for is_largest, ((side, name, *_), number) in ((True, pair), (False, pair[::-1])):
            if side == "name" and not names_in(number):
                try:
                    strict = kind in ("<", ">")
                    yield name, is_largest, Path(None).value(number, {}).constant + (-strict if is_largest else strict)
                except NoValue:
                    pass  # so no point is in the domain
