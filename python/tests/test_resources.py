# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Memory after many calls, and threads."""

import concurrent.futures
import gc
import os
import threading
import time

import numpy as np

import layoutcheck as lc


def resident_pages():
    gc.collect()
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1])


def call_everything(times):
    """Makes 10 calls per time."""
    array = np.zeros((3, 5), np.float32)
    for _ in range(times):
        layout = lc.Layout("f32[3,5]{1,0:T(2,2)}")
        layout.offset((2, 3))
        layout.coordinate(18)
        layout.unpack(layout.pack(array))
        layout.offset_table()
        layout.compare("f32[3,5]{0,1}")
        try:
            lc.Layout("f32[3,5]{1,0:T(2,2}")
        except lc.LayoutError:
            pass
        try:
            layout.offset((9, 9))
        except lc.LayoutError:
            pass


def test_memory_does_not_grow():
    calls = int(os.environ.get("LAYOUTCHECK_PYTHON_CALLS", "200000"))
    call_everything(2_000)
    before = resident_pages()
    call_everything(calls // 10)
    # 2 MiB at most: in 200,000 calls a leak of 10 bytes per call is found.
    assert resident_pages() - before < 512


def test_threads_share_layouts():
    layout = lc.Layout("f32[300,500]{1,0:T(8,128)}")
    array = np.arange(150_000, dtype=np.float32).reshape(300, 500)

    def work(k):
        own = lc.Layout(f"f32[300,500]{{1,0:T({k % 7 + 1},128)}}")
        for _ in range(5):
            assert np.array_equal(layout.unpack(layout.pack(array)), array)
            assert np.array_equal(own.unpack(layout.relayout(layout.pack(array), own)), array)
            assert layout.offset((299, 499)) == layout.offset_table()[299, 499]

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(32)))


def stamps_during_a_long_call():
    """Returns how often this thread ran in the middle of a long call of another thread."""
    layout = lc.Layout("f32[4096,4096]{0,1:T(8,128)}")
    span = []

    def work():
        begin = time.perf_counter()
        layout.offset_table()
        span.extend((begin, time.perf_counter()))

    thread = threading.Thread(target=work)
    thread.start()
    stamps = []
    while thread.is_alive():
        stamps.append(time.perf_counter())
        time.sleep(0.001)
    begin, end = span
    return sum(begin + (end - begin) / 4 < stamp < end - (end - begin) / 4 for stamp in stamps)


def test_long_calls_release_the_interpreter_lock():
    # On a busy machine this thread may not run for a while.
    assert any(stamps_during_a_long_call() >= 3 for _ in range(5))
