#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the speed of relayouts beside memcpy, oneDNN, NumPy and PyTorch, all on one thread.

usage: relayout_peers.py RELAYOUT_BENCHMARK [ROUNDS]

Every round measures all peers of a row one after the other; the best of the rounds counts. oneDNN is a peer if the
benchmark was built with it, NumPy and PyTorch are if this Python can import them (bench/requirements.txt). They copy
between arrays that exist, `numpy.copyto` and `Tensor.copy_`, through views in the order of the destination.
"""

import json
import subprocess
import sys
import time

# Per row: element type, shape and order of the axes in which the source is read, shape of the destination in memory.
# Rows of relayout_benchmark.cc that are no permutation of axes (padding, elements of 4 bits) have no such peer.
TILES = [512, 8, 32, 128], (0, 2, 1, 3)
PAIRS = [512, 4, 2, 32, 128], (0, 3, 1, 4, 2)
QUADS = [512, 2, 4, 32, 128], (0, 3, 1, 4, 2)


def inverse(move):
    shape, order = move
    return [shape[axis] for axis in order], tuple(order.index(axis) for axis in range(len(order)))


MOVES = {
    "f32_rows_to_8x128": ("float32", *TILES),
    "f32_8x128_to_rows": ("float32", *inverse(TILES)),
    "f32_rows_to_8x128_padded": None,
    "f32_rows_to_8x128_small": ("float32", [64, 8, 4, 128], (0, 2, 1, 3)),
    "bf16_rows_to_8x128_2x1": ("bfloat16", *PAIRS),
    "bf16_8x128_2x1_to_rows": ("bfloat16", *inverse(PAIRS)),
    "s8_rows_to_8x128_4x1": ("int8", *QUADS),
    "s8_8x128_4x1_to_rows": ("int8", *inverse(QUADS)),
    "f32_transpose": ("float32", [4096, 4096], (1, 0)),
    "bf16_transpose": ("bfloat16", [4096, 4096], (1, 0)),
    "s8_transpose": ("int8", [4096, 4096], (1, 0)),
    "f32_rows_to_transposed_8x128": ("float32", [32, 128, 512, 8], (2, 0, 3, 1)),
    "f32_nhwc_to_nchw": ("float32", [64, 56, 56, 64], (0, 3, 1, 2)),
    "s4_pack": None,
}


def seconds(copy):
    """Returns the shortest time of one call."""
    copy()
    best, end = float("inf"), time.perf_counter() + 0.25
    while time.perf_counter() < end:
        begin = time.perf_counter()
        copy()
        best = min(best, time.perf_counter() - begin)
    return best


def numpy_speed(numpy, element_type, shape, order):
    dtype = {"bfloat16": "uint16"}.get(element_type, element_type)  # NumPy has no bfloat16: the same bits
    source = numpy.ones(shape, dtype).transpose(order)
    destination = numpy.zeros(source.shape, dtype)
    return source.nbytes / seconds(lambda: numpy.copyto(destination, source))


def torch_speed(torch, element_type, shape, order):
    source = torch.ones(shape, dtype=getattr(torch, element_type)).permute(order)
    destination = torch.zeros(source.shape, dtype=source.dtype)
    return source.numel() * source.element_size() / seconds(lambda: destination.copy_(source))


def benchmark_speeds(program, name):
    """Returns the best bytes per second of "Relayout", "Memcpy" and, where it has the reorder, "OneDnn"."""
    command = [program, f"--benchmark_filter=^(Relayout|Memcpy|OneDnn)/{name}$", "--benchmark_format=json",
               "--benchmark_min_time=0.02", "--benchmark_repetitions=12", "--benchmark_enable_random_interleaving=true"]
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    speeds = {}
    for entry in json.loads(output)["benchmarks"]:
        if entry["run_type"] == "iteration" and "bytes_per_second" in entry:
            peer = entry["name"].split("/")[0]
            speeds[peer] = max(speeds.get(peer, 0), entry["bytes_per_second"])
    return speeds


def peers():
    found = {}
    try:
        import numpy
        found[f"NumPy {numpy.__version__}"] = lambda *move: numpy_speed(numpy, *move)
    except ImportError as error:
        print(f"NumPy is absent: {error}")
    try:
        import torch
        torch.set_num_threads(1)
        found[f"PyTorch {torch.__version__}"] = lambda *move: torch_speed(torch, *move)
    except ImportError as error:
        print(f"PyTorch is absent: {error}")
    return found


def main():
    program, rounds = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 3
    python_peers = peers()
    columns = ["Memcpy", "OneDnn", *python_peers]
    listed = subprocess.run([program, "--benchmark_list_tests"], check=True, stdout=subprocess.PIPE).stdout.decode()
    if "OneDnn/" not in listed:
        print("oneDNN is absent: the benchmark was built without it")
    print("One thread each. GB/s of the source, and in brackets the speed of Relayout divided by that of the peer.")
    print(f"{'':30}{'Relayout':>10}" + "".join(f"{column:>20}" for column in columns))
    slower = []
    for name, move in MOVES.items():
        best = {}
        for _ in range(rounds):
            speeds = benchmark_speeds(program, name)
            if move is not None:
                speeds.update({peer: speed(*move) for peer, speed in python_peers.items()})
            best = {peer: max(speed, best.get(peer, 0)) for peer, speed in speeds.items()}
        line = f"{name:30}{best['Relayout'] / 1e9:10.2f}"
        for column in columns:
            if column not in best:
                line += f"{'-':>20}"
                continue
            ratio = best["Relayout"] / best[column]
            line += f"{best[column] / 1e9:11.2f} ({ratio:6.2f})"
            if ratio < 1 and column != "Memcpy":
                slower.append(f"{name} than {column}")
        print(line, flush=True)
    print(f"Slower than a peer: {', '.join(slower) if slower else 'no row'}.")


main()
