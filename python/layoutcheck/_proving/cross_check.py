# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares what is proved about a formula with calls of the function that it was read from."""

from __future__ import annotations

import random
import time

MAX_POINTS = 200
MAX_SECONDS = 0.25
_SIZES = (1, 2, 3, 7, 8, 9, 16, 17, 31, 64, 100, 127, 128, 129, 300, 1000, 4097, 65_536, 1_000_003)


def differs_from_calls(prover, domain, functions) -> str | None:
    """Returns a text if a function gives another value than its formulas at one of some points of the domain.

    functions: a pair for each, (call, one formula per component). That a formula is right is proved; that the function
    computes it rests on how it was traced. This asks the function itself, so that an error there is noticed.
    """
    end = time.monotonic() + MAX_SECONDS
    names = list(domain.least)
    for point in points_of(prover, domain):
        values = [point[name] for name in names]
        for call, formulas in functions:
            actual, fault = call.with_numbers(point)
            traced = tuple(prover.evaluate(text, names, [values])[0] for text in formulas)
            if actual != traced:
                given = f"raises {fault}" if actual is None else f"gives {actual}"
                return f"the function {given} at {point}, where the formula that was read from it gives {traced}"
        if time.monotonic() > end:
            break
    return None


def points_of(prover, domain):
    """Yields points of the domain, drawn with a fixed seed."""
    draw = random.Random(20)
    names = list(domain.least)
    limits = dict(domain.below)
    texts = [condition.text for condition in domain.conditions]
    found = 0
    for _ in range(4 * MAX_POINTS):
        point = {}
        for name, least in domain.least.items():
            if name not in limits:
                size = draw.choice(_SIZES) - draw.randrange(2)
                point[name] = max(least, size) if least is not None else size * draw.choice((-1, 1))
        for name, limit in limits.items():
            size = point[limit] if isinstance(limit, str) else limit
            if size < 1:
                break
            point[name] = draw.choice((0, size - 1, draw.randrange(size)))
        if len(point) < len(names):
            continue
        values = [[point[name] for name in names]]
        truths = [prover.evaluate(text, names, values)[0] for text in texts]
        if all(type(truth) is int and truth != 0 for truth in truths):
            yield point
            found += 1
            if found == MAX_POINTS:
                return
