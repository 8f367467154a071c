# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Adapters between implementations in Python and the checker, which asks them the questions of docs/protocol.md.

A method of an adapter that answers a question returns an outcome: (0, answer), (1, why the implementation declines) or
(2, kind of failure, how it failed, request as JSON). It raises only what ends the run: KeyboardInterrupt and the like.
Texts in outcomes are UTF-8 bytes, because an implementation may return text that has no UTF-8.
"""

import functools
import json
import operator
import traceback
from collections.abc import Mapping

import numpy as np

INT64 = np.iinfo(np.int64)
SAMPLED = 16  # elements of each kind at which an array answer is compared with single answers


class Failed(Exception):
    """An implementation that failed to answer: `kind` is error, crash or protocol; `request` is JSON, or empty."""

    def __init__(self, kind, how, request=""):
        super().__init__(how)
        self.kind = kind
        self.how = how
        self.request = request


def utf8(text):
    """Returns the text as bytes, with escapes where it has no UTF-8."""
    return str(text).encode("utf-8", "backslashreplace")


def answering(method):
    """Makes a method that returns an answer, or raises Failed or NotImplementedError, return an outcome."""

    @functools.wraps(method)
    def outcome(*arguments):
        try:
            return 0, method(*arguments)
        except Failed as failed:
            return 2, failed.kind, utf8(failed.how), utf8(failed.request)
        except NotImplementedError as reason:
            return 1, utf8(str(reason) or "not implemented")

    return outcome


def told(error):
    """Returns "TypeError: message (file.py:12, in function)" with the place in the code that the checker called."""
    try:
        message = str(error).strip().partition("\n")[0]
    except Exception:  # a message that cannot be made says nothing about the answer
        message = ""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename != __file__]
    own = [frame for frame in frames if frame.filename == frames[0].filename]
    place = f" ({own[-1].filename.rpartition('/')[2]}:{own[-1].lineno}, in {own[-1].name})" if own else ""
    return f"{type(error).__name__}: {message[:300]}".rstrip(": ") + place


def call(function, *arguments, request="", kind="error"):
    """Calls the implementation. An exception is a failure; NotImplementedError, or NotImplemented returned, declines."""
    try:
        result = function(*arguments)
    except NotImplementedError:
        raise
    except Exception as error:  # an exception of the implementation is its answer
        raise Failed(kind, told(error), request) from None
    if result is NotImplemented:
        raise NotImplementedError(f"{getattr(function, '__name__', 'the function')} returned NotImplemented")
    return result


def integer(value, what="an integer", request=""):
    """Returns the value as a Python integer. Raises Failed if it is none, or outside int64."""
    try:
        number = operator.index(value)
    except TypeError:
        raise Failed("protocol", f"expected {what}, got {type(value).__name__} {value!r:.60}", request) from None
    if not INT64.min <= number <= INT64.max:
        raise Failed("protocol", f"expected {what} within int64, got {number}", request)
    return number


def integers(values, what):
    """Returns a one-dimensional array of int64 with the integers of an array or a sequence. Raises Failed for others."""
    try:
        array = np.asarray(values)
    except Exception as error:
        raise Failed("protocol", f"expected {what}: {told(error)}") from None
    if array.dtype.kind not in "iu" and array.size > 0:
        # Integers outside int64 are objects or floats in NumPy: each is looked at for the message.
        for value in array.reshape(-1)[:1] if array.dtype.kind == "f" else array.reshape(-1):
            integer(value, what)
    if array.dtype == np.uint64 and array.size > 0 and array.max() > INT64.max:
        raise Failed("protocol", f"expected {what} within int64, got {array.max()}")
    return np.ascontiguousarray(array.reshape(-1), dtype=np.int64)


@functools.lru_cache(maxsize=16)
def layout_of(text):
    """Returns the Layout of a text. Layouts do not change, so that questions about one share it. Declines questions about
    sizes that overflow int64, which no Layout has."""
    from layoutcheck import Layout, LayoutError

    try:
        return Layout(text)
    except LayoutError as error:
        raise NotImplementedError(f"no Layout: {error}") from None


def request(operation, **members):
    """Returns a request of the protocol."""
    return json.dumps({"op": operation, **members}, separators=(",", ":"))


def all_indices(shape):
    """Returns the indices of all elements as an array of rank x elements, the last dimension fastest."""
    if not shape:
        return np.zeros((0, 1), np.int64)
    return np.indices(shape, dtype=np.int64).reshape(len(shape), -1)


class OffsetFunction:
    """A function `offset(layout, index)` that is asked for many offsets: with arrays if it takes them.

    `vectorized` True: it takes an array of rank x count indices and returns `count` offsets. False: it takes a tuple of
    integers. None: both are tried. Arrays are then used while their answers are those of single questions at the first
    elements where they are wrong and at a sample of the others; otherwise the function is asked one by one.
    """

    def __init__(self, function, vectorized):
        self.function = function
        self.vectorized = vectorized
        self.count = 0  # offsets that it gave

    def offsets(self, text, indices, expected=None):
        """Returns the offsets at the columns of `indices`. `expected` has the right ones, if the caller knows them."""
        if indices.shape[1] == 0:
            raise NotImplementedError("the array has no element to ask for")
        offsets = self._answers(text, layout_of(text), indices, expected)
        self.count += len(offsets)
        return offsets

    def _answers(self, text, layout, indices, expected):
        if self.vectorized:
            return self._by_array(layout, indices)
        if self.vectorized is None:
            try:
                offsets = self._by_array(layout, indices)
                chosen = self._sample(offsets, expected() if expected else None)
                if np.array_equal(self._one_by_one(text, layout, indices[:, chosen]), offsets[chosen]):
                    return offsets
            except (Failed, NotImplementedError):
                pass  # single questions show whether it fails
            self.vectorized = False
        return self._one_by_one(text, layout, indices)

    def _by_array(self, layout, indices):
        # A copy, because a function may change its argument.
        array = integers(call(self.function, layout, indices.copy()), "an array of integers")
        if array.size == 1:
            array = np.repeat(array, indices.shape[1])
        if array.size != indices.shape[1]:
            raise Failed("protocol", f"expected {indices.shape[1]} offsets, got {array.size}")
        return array

    def _one_by_one(self, text, layout, indices):
        function = self.function
        count = indices.shape[1]
        offsets = []
        append = offsets.append
        try:
            for index in zip(*indices.tolist()) if indices.shape[0] else [()] * count:
                append(function(layout, index))
        except NotImplementedError:
            raise
        except Exception as error:  # an exception of the implementation is its answer
            raise Failed("error", told(error), self._request(text, indices, len(offsets))) from None
        try:
            array = np.array(offsets)
            if array.ndim == 1 and array.dtype.kind == "i":
                return array.astype(np.int64, copy=False)
        except Exception:  # values of several kinds: each is looked at for the message
            pass
        if any(offset is NotImplemented for offset in offsets):
            raise NotImplementedError("the function returned NotImplemented")
        places = (self._request(text, indices, number) for number in range(count))
        return np.array([integer(*pair) for pair in zip(offsets, ["an integer"] * count, places)], np.int64)

    @staticmethod
    def _request(text, indices, number):
        return request("offset", layout=text, coordinate=indices[:, number].tolist())

    @staticmethod
    def _sample(offsets, expected):
        chosen = {0, len(offsets) - 1, *np.linspace(0, len(offsets) - 1, SAMPLED, dtype=np.int64).tolist()}
        if expected is not None:
            chosen.update(np.flatnonzero(offsets != expected)[:SAMPLED].tolist())
        return sorted(chosen)


class FunctionAdapter:
    """A subject that is one function, offset(layout, index)."""

    version = ""
    operations = frozenset({"offset", "table"})
    limits = {}

    def __init__(self, function, name, vectorized):
        self.name = name
        self._offset = OffsetFunction(function, vectorized)

    @property
    def offsets_given(self):
        """The number of offsets that the function gave."""
        return self._offset.count

    @answering
    def offsets(self, text, indices):
        """Returns the offsets of some elements."""
        return self._offset.offsets(text, indices)

    @answering
    def table(self, text):
        """Returns the offsets of all elements."""
        layout = layout_of(text)
        indices = all_indices(layout.shape)
        return self._offset.offsets(text, indices, lambda: layout.offset_table().reshape(-1))


class ParserAdapter:
    """A subject that is a parser, parse(text), of one kind of text."""

    version = ""
    operations = frozenset({"parse"})
    limits = {}

    def __init__(self, function, name, rejects, canonical):
        self.name = name
        self._function = function
        self._rejects = rejects
        self._canonical = canonical

    @answering
    def parse(self, kind, text):
        """Returns (True, canonical text) or (False, why it is rejected)."""
        try:
            return parsed(self._function(text), lambda: self._canonical(kind, text))
        except self._rejects as error:
            return False, utf8(error)
        except NotImplementedError:
            raise
        except Failed:
            raise
        except Exception as error:
            raise Failed("crash", told(error), request("parse", kind=kind, text=text)) from None


def parsed(answer, canonical):
    """Returns the outcome of a text that a parser accepts. `answer` is the text that it prints, an object whose str() is
    that text, or True for a parser that prints nothing."""
    if answer is True:
        return True, utf8(canonical())
    if answer is NotImplemented:
        raise NotImplementedError("the parser returned NotImplemented")
    if answer is None or isinstance(answer, (bool, int, float, bytes)):
        raise Failed("protocol", f"expected text, an object that prints as text, or True, got {answer!r:.60}")
    return True, utf8(answer)


class ShardFunction:
    """A subject that is one function, shard(layout, device)."""

    version = ""
    operations = frozenset({"shard"})
    limits = {}
    offsets_given = 0

    def __init__(self, function, name):
        self.name = name
        self._function = function

    @answering
    def shard(self, text, device):
        """Returns the part of a device, as `part_of` does."""
        asked = request("shard", layout=text, device=device)
        return part_of(call(self._function, layout_of(text), device, request=asked), layout_of(text).shape, asked)


def part_of(answer, sizes, asked):
    """Returns (shape, ranges, numbers of elements), each None if it is not told, or None for a device without a part.

    The answer is None; per dimension of the array a pair (start, stop) or a slice; the numbers of the elements, where
    ranges do not say it; or a mapping with "shape", the sizes of the device's array, and "elements", one of the others.
    """
    if answer is None:
        return None
    shape = None
    if isinstance(answer, Mapping):
        shape, answer = answer.get("shape"), answer.get("elements")
        if shape is None and answer is None:
            raise Failed("protocol", 'expected a mapping with one of "shape" and "elements"', asked)
        shape = None if shape is None else integers(shape, "a shape of integers")
        if answer is None:
            return shape, None, None
    try:
        entries = list(answer)
    except TypeError:
        expected = "a range per dimension, or the numbers of elements"
        raise Failed("protocol", f"expected {expected}, got {type(answer).__name__} {answer!r:.60}", asked) from None
    if isinstance(answer, np.ndarray) and answer.ndim == 1 or any(hasattr(entry, "__index__") for entry in entries):
        return shape, None, integers(answer, "an array of the numbers of elements")
    if not entries and sizes:
        return shape, None, np.zeros(0, np.int64)
    if len(entries) != len(sizes):
        raise Failed("protocol", f"expected {len(sizes)} ranges, one per dimension, got {len(entries)}", asked)
    return shape, [_range_of(entry, size, asked) for entry, size in zip(entries, sizes)], None


def _range_of(entry, size, asked):
    """Returns (start, stop) of a pair or a slice. A slice means what it means to a sequence of this size."""
    if isinstance(entry, slice):
        start, stop, step = entry.indices(size)
        if step != 1:
            raise Failed("protocol", f"expected a slice without step, got {entry}", asked)
        return start, max(start, stop)
    pair = integers(entry, "a pair of integers (start, stop), or a slice").tolist()
    if len(pair) != 2:
        raise Failed("protocol", f"expected a pair of integers (start, stop), or a slice, got {entry!r:.60}", asked)
    return tuple(pair)
