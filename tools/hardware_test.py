#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests the comparisons of hardware.py with a machine made of the formulas of the PTX ISA in place of a GPU.

  tools/hardware_test.py LAYOUTCHECK

Everything that LAYOUTCHECK, the program, states must agree with that machine, and every damaged table and false number
of passes must be noticed.
"""

import functools
import sys
import unittest
from array import array

import hardware_fragments
import hardware_patterns
from hardware_kernels import Instruction, instructions_inc, instructions_of

LAYOUTCHECK = ""
PRODUCTS = (
    "mma.m8n8k4.f64",
    "mma.m16n8k8.tf32",
    "mma.m16n8k16.f16",
    "mma.m16n8k16.s8",
    "mma.m16n8k8.f64",
    "wgmma.m64n8k8.tf32",
    "wgmma.m64n24k16.f16",
)
MATRICES = ("ldmatrix.x1", "ldmatrix.x2.trans", "ldmatrix.x4", "stmatrix.x2", "stmatrix.x4.trans")


@functools.cache
def places(name, operand):
    """Returns the places of all elements of all threads, per thread."""
    one = Instruction(name)
    words, bits = (one.d, one.sum_bits) if operand == "D" else (one.a if operand == "A" else one.b, one.bits)
    return [[place_in(one, operand, thread, i) for i in range(words * 32 // bits)] for thread in range(one.threads)]


def place_in(one, operand, thread, i):
    """Returns row and column of element i of a thread."""
    warp, group, lane = thread // 32 * 16, thread % 32 // 4, thread % 4
    side = max(1, 32 // one.bits)  # elements of A or B side by side in a register
    halves = 2 if one.m > 8 else 1
    if operand == "D":
        return warp + group + 8 * (i // 2 % halves), 8 * (i // (2 * halves)) + 2 * lane + i % 2
    along = side * lane + i % side
    if operand == "B":
        return along + 4 * side * (i // side), group
    return warp + group + 8 * (i // side % halves), along + 4 * side * (i // (side * halves))


class FormulaMachine:
    """Does what the PTX ISA says that mma, wgmma, ldmatrix and stmatrix do."""

    @staticmethod
    def elements(memory, threads, words, bits):
        """Yields thread and number of each element that is not 0."""
        for at, word in [pair for pair in enumerate(memory) if pair[1]]:
            for part in range(max(1, 32 // bits)):
                if word >> part * bits & (1 << min(bits, 32)) - 1:
                    yield at // words % threads, at % words * 32 // bits + part

    def product(self, one, a, b):
        rows, columns = [0] * one.m, [0] * one.n  # bit k is element k
        for thread, i in self.elements(a, one.threads, one.a, one.bits):
            row, k = places(one.name, "A")[thread][i]
            rows[row] |= 1 << k
        for thread, i in self.elements(b, one.threads, one.b, one.bits):
            if one.is_warpgroup:  # two core matrices of 8 columns, of 16 bytes each, make up all of k
                byte = 4 * one.b * thread + i * one.bits // 8
                k, n = (byte // 128 % 2 * 16 + byte % 16) * 8 // one.bits, byte // 256 * 8 + byte % 128 // 16
            else:
                k, n = places(one.name, "B")[thread][i]
            columns[n] |= 1 << k
        sums = [
            (thread, i, (rows[row] & columns[column]).bit_count())
            for thread, of_thread in enumerate(places(one.name, "D"))
            for i, (row, column) in enumerate(of_thread)
            if rows[row] & columns[column]
        ]
        return hardware_fragments.pack(one.threads, one.d, one.sum_bits, sums)

    def run(self, one, runs, a, b):
        if not one.is_product:
            return self.matrix(one, b if one.b else a)
        part = lambda memory, words, k: memory[k * words * one.threads : (k + 1) * words * one.threads]
        results = array("I")
        for k in range(runs):
            results.extend(self.product(one, part(a, one.a, k), part(b, one.b, k)))
        return results

    @staticmethod
    def matrix(one, given):
        """Moves the words of each 8 x 8 matrix: between thread t and row t / 4, or with .trans column t / 4."""
        half = lambda memory, at: memory[at // 2] >> at % 2 * 16 & 0xFFFF
        moved = array("I", bytes(4 * 32 * one.d))
        for thread in range(32):
            for i in range(2 * one.count):
                line, along = thread // 4, thread % 4 * 2 + i % 2
                row, column = (along, line) if one.name.endswith(".trans") else (line, along)
                in_memory, in_register = 8 * (i // 2 * 8 + row) + column, 2 * one.count * thread + i
                source, target = (in_register, in_memory) if one.is_store else (in_memory, in_register)
                moved[target // 2] |= half(given, source) << target % 2 * 16
        return moved


class HardwareTest(unittest.TestCase):
    def test_fragments(self):
        for name in (*PRODUCTS, *MATRICES):
            one = Instruction(name)
            tables = hardware_fragments.tables_of(LAYOUTCHECK, one)
            self.assertEqual(list(hardware_fragments.differences(FormulaMachine(), one, tables)), [], name)
            self.assertEqual(hardware_fragments.damaged(FormulaMachine(), one, tables), [], name)

    def test_differences_name_the_element(self):
        one = Instruction("ldmatrix.x1")
        tables = hardware_fragments.tables_of(LAYOUTCHECK, one)
        tables[""].damage()
        self.assertEqual(
            next(hardware_fragments.differences(FormulaMachine(), one, tables)),
            "ldmatrix.x1: element 0 of thread 0 is at (0, 0), and the layout has (7, 7)",
        )

    def test_patterns(self):
        pairs = {"bytes": 16, "addresses": [lane // 2 * 16 for lane in range(32)]}
        rows = {"bytes": 4, "addresses": [lane * 128 for lane in range(32)]}
        stated = [hardware_patterns.stated_passes(LAYOUTCHECK, pattern) for pattern in (pairs, rows)]
        self.assertEqual(stated, [(2, 4), (32, 32)])
        text = '==PROF== one\n"ID","Kernel Name","Metric Name","Metric Unit","Metric Value"\n'
        for number, passes in enumerate((2, 4, 32, 32)):
            kernel = ("LoadPattern", "StorePattern")[number % 2]
            for counter in hardware_patterns.COUNTERS.values():
                value = passes if counter == hardware_patterns.COUNTERS[kernel] else 0
                text += f'"{number}","void {kernel}<16>(int)","{counter}","","{value}"\n'
        counted = hardware_patterns.read_counters(text)
        self.assertEqual(hardware_patterns.pattern_differences([pairs, rows], stated, counted), [])
        self.assertEqual(len(hardware_patterns.pattern_differences([pairs, rows], [(4, 4), (32, 32)], counted)), 1)
        self.assertEqual(len(hardware_patterns.pattern_differences([pairs, rows], stated, counted[:1])), 1)
        cycles = [(1000, 1000), (3900, 4100), (31000, 33000)]
        self.assertEqual(hardware_patterns.timing_differences([pairs, rows], stated, cycles), [])
        self.assertEqual(len(hardware_patterns.timing_differences([pairs, rows], [(2, 2), (16, 32)], cycles)), 2)
        self.assertEqual(len(hardware_patterns.timing_differences([pairs, rows], stated, cycles[:2])), 1)

    def test_kernels(self):
        for capability in ((8, 0), (9, 0), (10, 0)):
            names = [one.name for one in instructions_of(capability)]
            self.assertEqual(len(set(names)), len(names))
        text = instructions_inc([Instruction("mma.m16n8k16.f16"), Instruction("wgmma.m64n8k16.f16")])
        self.assertIn('{"mma.m16n8k16.f16", Kernel0, 32, 4, 2, 4},', text)
        self.assertIn(
            "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
            "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%10,%10,%10};",
            text,
        )
        self.assertIn(
            "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0,%1,%2,%3}, {%4,%5,%6,%7}, %8, p, 1, 1, 0;", text
        )


if __name__ == "__main__":
    LAYOUTCHECK = sys.argv.pop(1)
    unittest.main()
