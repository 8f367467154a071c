# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The subject protocol for subjects written in Python: a loop over JSON lines, and the plain part of HLO's notation."""

import gc
import json
import re
import sys

_SHAPE = re.compile(
    r"([a-z][a-z0-9]*)\[([0-9,]*)\](?:\{([0-9,]*)(?::(?:T((?:\([0-9,]+\))+))?((?:(?!T\()[A-Z]+\([^()]*\))*))?\})?$")


class Unsupported(Exception):
    """The subject cannot answer this request; that is not counted against it."""


def integers(text):
    """Reads a list of integers without blanks, `2,3`; the empty text is the empty list."""
    return [int(part) for part in text.split(",")] if text else []


def tiled(text):
    """Returns (element type, dimensions, minor_to_major, tiles) of a canonical HLO shape. Ignores attributes behind the tiles,
    which move no element.

    Raises Unsupported for tuples, dynamic dimensions, tiles with *, and tail padding, which makes the array longer.
    """
    match = _SHAPE.match(text)
    if match is None or "L(" in (match[5] or ""):
        raise Unsupported("only arrays with a plain or tiled layout")
    dimensions = integers(match[2])
    minor_to_major = list(reversed(range(len(dimensions)))) if match[3] is None else integers(match[3])
    if sorted(minor_to_major) != list(range(len(dimensions))):
        raise Unsupported("only permutations as layouts")
    tiles = [integers(tile) for tile in match[4][1:-1].split(")(")] if match[4] else []
    return match[1], dimensions, minor_to_major, tiles


def untiled(text):
    """Returns (element type, dimensions, minor_to_major). Raises Unsupported as tiled() does, and for tiles and attributes."""
    element_type, dimensions, minor_to_major, _ = tiled(text)
    if ":" in text:
        raise Unsupported("only arrays with a plain layout")
    return element_type, dimensions, minor_to_major


def place(digits, sizes):
    """Returns the number that has these digits in mixed radix, the last one fastest."""
    number = 0
    for digit, size in zip(digits, sizes):
        number = number * size + digit
    return number


def digits_of(number, sizes):
    """Returns the digits of a number; the inverse of place."""
    digits = []
    for size in reversed(sizes):
        number, digit = divmod(number, size)
        digits.append(digit)
    return digits[::-1]


# Returns an answer as JSON.
encoded = json.JSONEncoder(separators=(",", ":")).encode


def serve(hello, operations):
    """Answers requests until end of file. `hello` is the answer to hello without "ops". `operations` maps an operation to a
    function that takes the request and returns the answer, also as encoded() returns it; it may raise Unsupported, and any other
    exception becomes an error answer."""
    output = sys.stdout.buffer
    gc.freeze()  # imported modules are no garbage, and looking through all of their objects takes time
    for line in sys.stdin.buffer:
        request = json.loads(line)
        operation = request["op"]
        try:
            if operation == "hello":
                answer = dict(hello, ops=sorted(operations))
            elif operation in operations:
                answer = operations[operation](request)
            else:
                answer = {"unsupported": f"no operation {operation}"}
        except Unsupported as reason:
            answer = {"unsupported": str(reason)}
        except Exception as error:  # an exception of the implementation is its answer
            answer = {"error": f"{type(error).__name__}: {error}"}
        output.write((answer if isinstance(answer, str) else encoded(answer)).encode() + b"\n")
        output.flush()
