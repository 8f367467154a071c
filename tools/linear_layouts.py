# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Defines layouts in bits, and checks their laws.

In ll{register:[(4,0)],lane:[(0,1),(0,2)]} -> [8,4], each input has one image per bit: the index of the element of the
array at which that bit alone lies. The index of an input is the exclusive or of the images of its bits.
"""
import re
from functools import reduce

from certificate_steps import expect

def listed(item):
    """Returns a pattern of any number of items with commas between them."""
    return rf"(?:{item}(?:,{item})*)?"

NAME, NUMBER = r"[A-Za-z_][A-Za-z0-9_]*", r"[0-9]{1,19}"
IMAGE = rf"(?:{NUMBER}|\({listed(NUMBER)}\))"
INPUT, OUTPUT = rf"{NAME}:\[{listed(IMAGE)}\]", rf"(?:{NAME}:)?{NUMBER}"
LAYOUT = rf"ll\{{({listed(INPUT)})\}} -> \[({listed(OUTPUT)})\]"
MAX_BITS = 62  # of all inputs together, and of all outputs together

is_linear = lambda text: text.startswith("ll{")

def read_linear(text):
    """Returns for each input the images of its bits as row-major numbers of the outputs, and the outputs' bits."""
    found = re.fullmatch(LAYOUT, text)
    expect(found, "a layout such as ll{lane:[1,2]} -> [4]")
    inputs = [text.partition(":") for text in re.findall(INPUT, found[1])]
    outputs = [text.rpartition(":") for text in found[2].split(",") if text]
    names, sizes = [name or f"dim{k}" for k, (name, _, _) in enumerate(outputs)], [int(size) for _, _, size in outputs]
    expect(len(set(names)) == len(names) and len({name for name, _, _ in inputs}) == len(inputs), "different names")
    expect(all(size > 0 and size & size - 1 == 0 for size in sizes), "outputs whose sizes are powers of two")

    def number(image):
        parts = [int(part) for part in re.findall(NUMBER, image)]
        expect(len(parts) == len(sizes) and all(part < size for part, size in zip(parts, sizes)), "images inside")
        return reduce(lambda total, of: total * of[0] + of[1], zip(sizes, parts), 0)

    images = [[number(image) for image in re.findall(IMAGE, of_input)] for _, _, of_input in inputs]
    bits = sum(size.bit_length() - 1 for size in sizes)
    expect(max(bits, sum(map(len, images))) <= MAX_BITS, f"at most {MAX_BITS} bits")
    return images, bits

def rank(images):
    """Returns the largest number of images of which none is the exclusive or of others."""
    reduced = {}  # by the highest bit
    for image in images:
        while image.bit_length() in reduced:
            image ^= reduced[image.bit_length()]
        if image:
            reduced[image.bit_length()] = image
    return len(reduced)

def check_linear(law, claim, lines):
    """Checks a law of a layout in bits, or that two of them are equal."""
    about = [part for part in claim if claim[part]]
    expect(about == ["layout", "equals"] if law == "equals" else law in ("injective", "onto") and about == ["layout"],
           "a law of layouts in bits with what it is about")
    images, bits = read_linear(*claim["layout"])
    lines.take("by images" if law == "equals" else "by elimination")
    if law == "equals":
        expect(images == read_linear(*claim["equals"])[0], "two layouts with the same images of each input")
    else:
        images = sum(images, [])
        needed = len(images) if law == "injective" else bits
        expect(rank(images) == needed, f"images of rank {needed}")
    lines.steps += 1
