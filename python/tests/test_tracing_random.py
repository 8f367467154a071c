# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random functions give at random points what the formulas say that were read from them."""

import os
import random

import pytest
from layoutcheck._proving.trace import Call, Domain, Traced

prover = pytest.importorskip("layoutcheck._prover", reason="the package was built without Z3")

NAMES = ["a", "b", "c"]
BINARY = ["+", "-", "*", "//", "%", "&", "|", "^"]


class Writer:
    """Writes the source of a random function of a, b and c."""

    def __init__(self, seed):
        self.draw = random.Random(seed)

    def value(self, names, depth):
        if depth == 0 or self.draw.random() < 0.2:
            return self.draw.choice([*names, str(self.draw.choice([0, 1, 2, 3, 7, 8, 16, -1, -5]))])
        first, second = self.value(names, depth - 1), self.value(names, depth - 1)
        kind = self.draw.randrange(12)
        if kind < 6:
            return f"({first} {self.draw.choice(BINARY)} {second})"
        if kind == 6:
            return f"({first} if {self.condition(names, depth - 1)} else {second})"
        return [f"({first} {self.draw.choice(['<<', '>>'])} ({second} & 3))", f"min({first}, {second})",
                f"max({first}, {second}, 4)", f"abs({first})", f"divmod({first}, {second})[{kind % 2}]"][kind - 7]

    def condition(self, names, depth):
        op = self.draw.choice(["<", "<=", "==", "!=", ">", ">="])
        text = f"{self.value(names, depth)} {op} {self.value(names, depth)}"
        return self.draw.choice([text, f"not {text}", f"{text} and a < 20", f"({text}) == (b < c)", "a & 4"])

    def source(self):
        lines = ["def function(a, b, c):", "    table = [3, 1, 2, 0]", f"    x = {self.value(NAMES, 2)}"]
        names = [*NAMES, "x"]
        for _ in range(self.draw.randrange(1, 4)):
            kind = self.draw.randrange(5)
            value = self.value(names, 2)
            if kind == 0:
                lines += [f"    if {self.condition(names, 1)}:", f"        x = {value}"]
            elif kind == 1:
                lines += [f"    for k in range({self.draw.randrange(1, 4)}):", f"        x = x + k * {value}"]
            elif kind == 2:
                lines += ["    try:", f"        x = {value}", "    except ZeroDivisionError:", "        x = -x"]
            elif kind == 3:
                lines += [f"    x = table[({value}) % 4] + x"]
            else:
                lines += [f"    assert {self.condition(names, 1)}", f"    x = {value}"]
        lines += [self.draw.choice(["    return x", "    return (x, a)", "    return x - b"])]
        return "\n".join(lines) + "\n"


SEEDS = 400 if "LAYOUTCHECK_NIGHTLY" in os.environ else 25


@pytest.mark.parametrize("seed", range(SEEDS))
def test_random_function(seed):
    source = Writer(seed).source()
    names = {}
    exec(compile(source, f"random_{seed}.py", "exec"), names)
    call = Call(names["function"], NAMES, [])
    domain = Domain({name: 0 for name in NAMES}, [("b", 50)])
    traced = Traced(domain, call)
    if traced.refused:
        assert "is a loop without a known end" in traced.refused or "different numbers" in traced.refused, (
            source + traced.refused)
        return
    formulas = [[traced.formula(k, everything) for k in range(traced.count)] for everything in (False, True)]
    draw = random.Random(seed)
    for _ in range(60):
        point = {name: draw.choice([0, 1, 2, 3, 5, 8, 17, 40, 49, draw.randrange(50)]) for name in NAMES}
        actual, _ = call.with_numbers(point)
        for texts in formulas:
            values = tuple(prover.evaluate(text, NAMES, [[point[name] for name in NAMES]])[0] for text in texts)
            if actual is None:
                assert all(type(value) is str for value in values), f"{source}{point}: {texts}"
            else:
                assert values == actual, f"{source}{point}: {texts}"
