# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the fragments of PTX that layoutcheck states with what instructions do on a GPU.

Of a product, one element at a time is 1 and all others are 0, which shows its row and column. What ldmatrix loads and
stmatrix stores is numbered.
"""
import ast
import json
import math
from array import array
from functools import reduce

from hardware_kernels import run
from linear_layouts import is_linear, read_linear


def flat(tuple_or_number):
    return (
        [n for part in tuple_or_number for n in flat(part)] if isinstance(tuple_or_number, tuple) else [tuple_or_number]
    )


def strided(number, sizes, strides):
    """Returns the offset of a mode of a shape:stride layout, whose first integer is the fastest."""
    offset = 0
    for size, stride in zip(sizes, strides):
        offset, number = offset + number % size * stride, number // size
    return offset


class Table:
    """The row and column of each element of each thread: places[element][thread]."""

    def __init__(self, layoutcheck, name, columns):
        text = json.loads(run([layoutcheck, "parse", "--kind", "any", name, "--json"]))["text"]
        if is_linear(text):  # each input has an image per bit
            modes = [
                [
                    reduce(int.__xor__, (image for k, image in enumerate(images) if number >> k & 1), 0)
                    for number in range(2 ** len(images))
                ]
                for images in read_linear(text)[0]
            ]
        else:
            shape, stride = (ast.literal_eval(part) for part in text.split(":"))
            modes = [
                [strided(number, flat(sizes), flat(strides)) for number in range(math.prod(flat(sizes)))]
                for sizes, strides in zip(shape, stride)
            ]
        join = int.__xor__ if is_linear(text) else int.__add__
        elements, lanes, warps = (*modes, [0])[:3]
        self.name = name
        self.places = [
            [divmod(join(join(element, lane), warp), columns) for warp in warps for lane in lanes]
            for element in elements
        ]

    def damage(self):
        """Swaps the first entry with the last one."""
        first, last = self.places[0], self.places[-1]
        first[0], last[-1] = last[-1], first[0]

    def entries(self):
        """Yields the number of each element, its thread and its place."""
        return ((i, thread, place) for i, threads in enumerate(self.places) for thread, place in enumerate(threads))

    def differences(self, observed):
        """Returns how observed places, {(element, thread): place}, differ from those of the table."""
        return [
            f"{self.name}: element {i} of thread {thread} is at {observed.get((i, thread))}, and the layout has {place}"
            for i, thread, place in self.entries()
            if observed.get((i, thread)) != place
        ]


def pack(threads, words, bits, elements):
    """Returns the words of all threads, in which some elements, (thread, number, value), are set and others are 0."""
    memory = array("I", bytes(4 * threads * words))
    for thread, number, value in elements:
        at = thread * words * 32 + number * bits
        for part in range(max(1, bits // 32)):
            memory[at // 32 + part] |= (value >> 32 * part & 0xFFFFFFFF) << at % 32
    return memory


class Machine:
    """The GPU, by the program that hardware.cu makes."""

    def __init__(self, program):
        self.program = program

    def run(self, instruction, runs, a, b):
        """Returns the words that an instruction leaves for each run and thread."""
        job = f"{instruction.name} {runs}\n".encode() + a.tobytes() + b.tobytes()
        return array("I", run([self.program, "run"], input=job))


def observe_matrix(machine, one, tables):
    """Returns where elements of ldmatrix or stmatrix are: for each table, {(element, thread): place}."""
    if one.is_store:
        numbers = [(thread, i) for thread in range(32) for i in range(2 * one.count)]
        a = pack(32, one.a, 16, [(thread, i, k + 1) for k, (thread, i) in enumerate(numbers)])
        stored = machine.run(one, 1, a, array("I"))
        values = [
            (stored[4 * row + column // 2] >> column % 2 * 16 & 0xFFFF, (row, column))
            for row in range(8 * one.count)
            for column in range(8)
        ]
        seen = {numbers[value - 1][::-1]: place for value, place in values if 0 < value <= len(numbers)}
    else:
        b = pack(32, one.b, 16, [(row, column, row * 8 + column + 1) for row in range(32) for column in range(8)])
        loaded = machine.run(one, 1, array("I"), b)
        seen = {
            (i, thread): divmod((loaded[thread * one.count + i // 2] >> i % 2 * 16 & 0xFFFF) - 1, 8)
            for thread in range(32)
            for i in range(2 * one.count)
        }
    return {name: seen for name in tables}


class Products:
    """Products of matrices of 0 and 1 by mma or wgmma."""

    def __init__(self, machine, one, tables):
        self.machine, self.one, self.tables = machine, one, tables
        self.elements = {
            name: {place: (thread, i) for i, thread, place in table.entries()} for name, table in tables.items()
        }
        self.runs, self.a, self.b = 0, array("I"), array("I")

    def matrix_a(self, ones):
        return pack(
            self.one.threads, self.one.a, self.one.bits, [(*self.elements["A"][place], self.one.one) for place in ones]
        )

    def element_a(self, thread, i):
        return pack(self.one.threads, self.one.a, self.one.bits, [(thread, i, self.one.one)])

    def matrix_b(self, ones):
        one = self.one
        if one.is_warpgroup:  # in core matrices of 8 columns of B, of 16 bytes each
            bytes_of = lambda k, n: n // 8 * 256 + k * one.bits // 128 * 128 + n % 8 * 16 + k * one.bits // 8 % 16
            return pack(
                one.threads, one.b, one.bits, [(0, bytes_of(*place) * 8 // one.bits, one.one) for place in ones]
            )
        return pack(one.threads, one.b, one.bits, [(*self.elements["B"][place], one.one) for place in ones])

    def element_b(self, thread, i):
        return pack(self.one.threads, self.one.b, self.one.bits, [(thread, i, self.one.one)])

    def add(self, a, b):
        self.runs += 1
        self.a.extend(a)
        self.b.extend(b)

    def results(self):
        """Returns, per product that was added, the elements of D that are not 0, as pairs (element, thread)."""
        one, words = self.one, self.one.threads * self.one.d
        d = self.machine.run(one, self.runs, self.a, self.b)
        self.runs, self.a, self.b = 0, array("I"), array("I")
        return [
            {(at % one.d * 32 // one.sum_bits, at // one.d) for at, word in enumerate(d[first : first + words]) if word}
            for first in range(0, len(d), words)
        ]

    def observe_d(self):
        """Returns where elements of D are: rows are told apart by A, whose bits they are, and columns by B."""
        rows, columns = range(self.one.m), range(self.one.n)
        bits = max(rows[-1], columns[-1]).bit_length()
        for bit in range(bits):
            self.add(
                self.matrix_a([(row, 0) for row in rows if row >> bit & 1]),
                self.matrix_b([(0, column) for column in columns]),
            )
            self.add(
                self.matrix_a([(row, 0) for row in rows]),
                self.matrix_b([(0, column) for column in columns if column >> bit & 1]),
            )
        results = self.results()
        place_of = lambda element: tuple(
            sum((element in results[2 * bit + k]) << bit for bit in range(bits)) for k in (0, 1)
        )
        return {(i, thread): place_of((i, thread)) for i, thread, _ in self.tables["D"].entries()}

    def observe(self, operand):
        """Returns where elements of A or B are. One of them is 1, which shows its row of A or column of B; then the
        columns of B, or the rows of A, have the bits of the numbers of their elements."""
        is_a = operand == "A"
        depth, lines = range(self.one.k), range(8)
        if is_a:
            others = (
                self.matrix_b([(k, n) for k in depth for n in lines]),
                self.matrix_b([(k, n) for k in depth for n in lines if k >> n & 1]),
            )
        else:
            others = (
                self.matrix_a([(m, k) for k in depth for m in lines]),
                self.matrix_a([(m, k) for k in depth for m in lines if k >> m & 1]),
            )
        entries = list(self.tables[operand].entries())
        for i, thread, _ in entries:
            element = self.element_a(thread, i) if is_a else self.element_b(thread, i)
            for other in others:
                self.add(*((element, other) if is_a else (other, element)))
        results = self.results()
        place_of_d = {(i, thread): place for i, thread, place in self.tables["D"].entries()}
        seen = {}
        for number, (i, thread, _) in enumerate(entries):
            first, second = ([place_of_d[element] for element in results[2 * number + k]] for k in (0, 1))
            line = {place[0 if is_a else 1] for place in first}
            k = sum({1 << place[1 if is_a else 0] for place in second if place[1 if is_a else 0] < 8})
            seen[i, thread] = None if len(line) != 1 else (line.pop(), k) if is_a else (k, line.pop())
        return seen


def tables_of(layoutcheck, one):
    """Returns the tables of an instruction's fragments, by operand."""
    if not one.is_product:
        return {"": Table(layoutcheck, one.name, 8)}
    operands = {"A": one.k, "D": one.n} if one.is_warpgroup else {"A": one.k, "B": one.n, "D": one.n}
    return {operand: Table(layoutcheck, f"{one.name}.{operand}", columns) for operand, columns in operands.items()}


def differences(machine, one, tables):
    """Yields how the fragments of an instruction differ from the tables."""
    if not one.is_product:
        for name, seen in observe_matrix(machine, one, tables).items():
            yield from tables[name].differences(seen)
        return
    products = Products(machine, one, tables)
    yield from tables["D"].differences(products.observe_d())
    for name in sorted(tables.keys() - {"D"}):
        if has_table(one, name):
            yield from tables[name].differences(products.observe(name))


def has_table(one, name):
    """Returns true if a table is tried with this instruction: A of wgmma is the same for any number of columns."""
    return name != "A" or not one.is_warpgroup or one.n == 8


def damaged(machine, one, tables):
    """Returns the names of tables in which a swap of two entries is not noticed."""
    missed = []
    for name, table in tables.items():
        if not has_table(one, name):
            continue
        table.damage()
        if next(differences(machine, one, tables), None) is None:
            missed.append(table.name)
        table.damage()
    return missed
