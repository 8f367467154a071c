# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Defines layouts in bits, and checks their laws.

In ll{register:[(4,0)],lane:[(0,1),(0,2)]} -> [8,4], each input has one image per bit: the index of the element of the
array at which that bit alone lies. The index of an input is the exclusive or of the images of its bits.
"""
import re

from certificate_steps import expect

def listed(item):
    """Returns a pattern of any number of items with commas between them."""
    return rf"(?:{item}(?:,{item})*)?"

NAME, NUMBER = r"[A-Za-z_][A-Za-z0-9_]*", r"[0-9]{1,19}"
IMAGE = rf"(?:{NUMBER}|\({listed(NUMBER)}\))"
INPUT, OUTPUT = rf"{NAME}:\[{listed(IMAGE)}\]", rf"(?:{NAME}:)?{NUMBER}"
LAYOUT = rf"ll\{{({listed(INPUT)})\}} -> \[({listed(OUTPUT)})\]"
MAX_BITS = 62  # of all inputs together, and of all outputs together

def read_linear(text):
    """Returns the images of all bits as row-major numbers of the outputs, and the number of the outputs' bits."""
    found = re.fullmatch(LAYOUT, text)
    expect(found, "a layout such as ll{lane:[1,2]} -> [4]")
    inputs = [text.partition(":") for text in re.findall(INPUT, found[1])]
    outputs = [text.rpartition(":") for text in found[2].split(",") if text]
    names, sizes = [name or f"dim{k}" for k, (name, _, _) in enumerate(outputs)], [int(size) for _, _, size in outputs]
    expect(len(set(names)) == len(names) and len({name for name, _, _ in inputs}) == len(inputs), "different names")
    expect(all(size > 0 and size & size - 1 == 0 for size in sizes), "outputs whose sizes are powers of two")
    images = []
    for image in (image for _, _, of_input in inputs for image in re.findall(IMAGE, of_input)):
        parts = [int(part) for part in re.findall(NUMBER, image)]
        expect(len(parts) == len(sizes) and all(part < size for part, size in zip(parts, sizes)), "images inside")
        images.append(0)
        for part, size in zip(parts, sizes):
            images[-1] = images[-1] * size + part
    bits = sum(size.bit_length() - 1 for size in sizes)
    expect(max(bits, len(images)) <= MAX_BITS, f"at most {MAX_BITS} bits")
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
    """Checks a law of a layout in bits."""
    expect(law in ("injective", "onto") and [part for part in claim if claim[part]] == ["layout"],
           "a law of layouts in bits and a layout alone")
    images, bits = read_linear(*claim["layout"])
    lines.take("by elimination")
    needed = len(images) if law == "injective" else bits
    expect(rank(images) == needed, f"images of rank {needed}")
    lines.steps += 1
