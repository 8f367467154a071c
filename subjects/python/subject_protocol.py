"""The subject protocol for subjects written in Python: a loop over JSON lines, and the plain part of HLO's notation."""

import json
import re
import sys

_SHAPE = re.compile(r"([a-z][a-z0-9]*)\[([0-9,]*)\](?:\{([0-9,]*)\})?$")


class Unsupported(Exception):
    """The subject cannot answer this request; that is not counted against it."""


def integers(text):
    """The integers of a list without blanks, `2,3`; empty for the empty text."""
    return [int(part) for part in text.split(",")] if text else []


def untiled(text):
    """(element type, dimensions, minor_to_major) of a canonical HLO shape whose layout has no attribute.

    Raises Unsupported for everything else: tuples, tiles, element sizes, dynamic dimensions.
    """
    match = _SHAPE.match(text)
    if match is None:
        raise Unsupported("only arrays with a plain layout")
    dimensions = integers(match[2])
    minor_to_major = list(reversed(range(len(dimensions)))) if match[3] is None else integers(match[3])
    if sorted(minor_to_major) != list(range(len(dimensions))):
        raise Unsupported("only permutations as layouts")
    return match[1], dimensions, minor_to_major


def serve(hello, operations):
    """Answers requests until end of file. `hello` is that answer without "ops"; `operations` maps an operation to a
    function of the request that returns the answer, raises Unsupported, or raises anything else: an error answer."""
    output = sys.stdout.buffer
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
        except Exception as error:  # what the implementation raises is its answer
            answer = {"error": f"{type(error).__name__}: {error}"}
        output.write(json.dumps(answer, separators=(",", ":")).encode() + b"\n")
        output.flush()
