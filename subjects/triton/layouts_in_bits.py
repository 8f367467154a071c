# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions on layouts in bits, `ll{register:[1,2],lane:[4]} -> [8]`, by Triton's LinearLayout.

Triton checks its preconditions by aborting, so each function declines what breaks one.
"""

import math
import re

from subject_protocol import Unsupported
from triton._C.libtriton.linear_layout import LinearLayout

# The sizes of a linear layout are signed 32-bit integers.
MAX_SIZE = 1 << 30


class Layout:
    """A layout as its text has it: [(input, images)], with an integer per output in each image, and [(output, size)]."""

    def __init__(self, inputs, outputs):
        self.inputs = inputs
        self.outputs = outputs
        if any(size > MAX_SIZE for size in self.sizes()):
            raise Unsupported("a size of more than 30 bits")
        names = [name for name, _ in outputs]
        self.linear = LinearLayout.from_bases(inputs, names, [size for _, size in outputs], False)

    def sizes(self):
        """Returns the sizes of all inputs together and of all outputs together."""
        return math.prod(2 ** len(images) for _, images in self.inputs), math.prod(size for _, size in self.outputs)

    @staticmethod
    def of_text(text):
        match = re.fullmatch(r"ll\{(.*)\} -> \[(.*)\]", text)
        if match is None:
            raise Unsupported("only layouts by their images")
        sizes = [part.rpartition(":") for part in match[2].split(",") if part]
        outputs = [(name or f"dim{k}", int(size)) for k, (name, _, size) in enumerate(sizes)]
        inputs = []
        for name, images in re.findall(r"(\w+):\[([^\]]*)\]", match[1]):
            parts = re.findall(r"\(([0-9,]*)\)|([0-9]+)", images)
            inputs.append((name, [[int(n) for n in (several or one).split(",") if n] for several, one in parts]))
        return Layout(inputs, outputs)


def text_of(linear):
    def image(parts):
        return "(" + ",".join(map(str, parts)) + ")"

    inputs = ",".join(f"{name}:[" + ",".join(map(image, bases)) + "]" for name, bases in linear.bases)
    return f"ll{{{inputs}}} -> [" + ",".join(f"{name}:{size}" for name, size in linear.out_dims) + "]"


def apply(layout, number):
    number = int(number)
    coordinate = {}
    for name, images in layout.inputs:  # the first input is fastest
        coordinate[name] = number % 2 ** len(images)
        number >>= len(images)
    if not coordinate:
        raise Unsupported("a layout without inputs")
    values = layout.linear.apply(coordinate)
    value = 0
    for name, size in layout.outputs:  # the last output is fastest
        value = value * size + values[name]
    return {"value": value}


def compose(inner, outer):
    sizes = {name: 2 ** len(images) for name, images in outer.inputs}
    if sizes.keys() != dict(inner.outputs).keys() or any(size > sizes[name] for name, size in inner.outputs):
        raise Unsupported("names or sizes do not match")
    return {"layout": text_of(inner.linear.compose(outer.linear))}


def in_one_order(first, second):
    """Returns True if names that both lists have are in the same order in both."""
    return [name for name in first if name in second] == [name for name in second if name in first]


def product(inner, outer):
    if not in_one_order(dict(inner.inputs), dict(outer.inputs)) or not in_one_order(dict(inner.outputs), dict(outer.outputs)):
        raise Unsupported("names in different orders")
    if any(a * b > MAX_SIZE for a, b in zip(inner.sizes(), outer.sizes())):
        raise Unsupported("a product of more than 30 bits")
    return {"layout": text_of(inner.linear * outer.linear)}


def pseudoinvert(layout):
    if not layout.linear.is_surjective():
        raise Unsupported("a value that is not reached")
    return {"layout": text_of(layout.linear.pseudoinvert())}


def invert_and_compose(layout, outer):
    if sorted(layout.outputs) != sorted(outer.outputs) or not outer.linear.is_surjective():
        raise Unsupported("other outputs, or a value that is not reached")
    return {"layout": text_of(layout.linear.invert_and_compose(outer.linear))}


FUNCTIONS = {
    "linear_apply": apply,
    "linear_is_injective": lambda layout: {"value": layout.linear.is_injective()},
    "linear_is_surjective": lambda layout: {"value": layout.linear.is_surjective()},
    "linear_compose": compose,
    "linear_product": product,
    "linear_pseudoinvert": pseudoinvert,
    "linear_invert_and_compose": invert_and_compose,
}


def answer(request):
    function = FUNCTIONS.get(request["function"])
    if function is None:
        raise Unsupported(f"no function {request['function']} in the package's Python")
    arguments = request["arguments"]
    layouts = [Layout.of_text(text) if text.startswith("ll") else text for text in arguments]
    return function(*layouts)
