# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks of arguments, so that an error names the argument and what was expected."""

import operator
from typing import Any, Optional

MOST = 2**63 - 1  # of numbers


def count(name: str, value: Any, least: int = 0, most: int = MOST) -> int:
    """Returns the integer. Errors: TypeError for something else, ValueError for one that is not in the range."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name}: expected an integer, got {value!r}") from None
    if not least <= number <= most:
        raise ValueError(f"{name}: expected an integer from {least} to {most}, got {number}")
    return number


def optional_count(name: str, value: Any, least: int = 0) -> Optional[int]:
    """Returns the integer, or None. Errors: those of count."""
    return None if value is None else count(name, value, least)


def duration(value: Any) -> Optional[float]:
    """Returns a time in seconds, or None. Errors: TypeError, and ValueError for one that is not above 0."""
    if value is None:
        return None
    try:
        seconds = float(value)
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"seconds: expected a number, got {value!r}") from None
    if not 0 < seconds < 1e9:
        raise ValueError(f"seconds: expected a number above 0 and below 1e9, got {value}")
    return seconds


def sequence(name: str, value: Any, example: str) -> list:
    """Returns the elements. Errors: TypeError for something without elements, and for a text."""
    try:
        if not isinstance(value, (str, bytes)):
            return list(value)
    except TypeError:
        pass
    raise TypeError(f"{name}: expected {example}, got {value!r}")


def integers(name: str, value: Any, example: str) -> list:
    """Returns the integers. Errors: TypeError for something else than a sequence of integers."""
    try:
        return [operator.index(entry) for entry in sequence(name, value, example)]
    except TypeError:
        raise TypeError(f"{name}: expected {example}, got {value!r}") from None
