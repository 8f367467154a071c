# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The adapter of an object with a method per operation of docs/protocol.md: what it has is tested."""

from collections.abc import Mapping

import numpy as np

from ._adapters import (
    Failed,
    OffsetFunction,
    all_indices,
    answering,
    call,
    integer,
    integers,
    layout_of,
    parsed,
    part_of,
    request,
    utf8,
)

OPERATIONS = (
    *("offset", "table", "coordinate", "size", "parse", "relayout", "apply", "make", "bitcast", "equal", "edit"),
    *("shard", "reshard"),
)
SIZES = ("elements", "padded_elements", "bytes", "extent")
# The number of single coordinates that a law asks for per layout.
COORDINATES = 1024


def operations_of(subject):
    """Returns the operations that an object, or the objects of a class, have."""
    return frozenset(name for name in OPERATIONS if callable(getattr(subject, name, None)))


def layout_text(result, asked):
    """Returns the text of a layout in an answer: a text, or an object of a layout's own type that prints as one."""
    if result is None or isinstance(result, (bool, int, float, bytes, list, dict)):
        raise Failed("protocol", f"expected the text of a layout, got {type(result).__name__} {result!r:.60}", asked)
    return utf8(result)


class ObjectAdapter:
    """A subject that is an object. Its methods take layoutcheck.Layout for layouts:

    offset(layout, index) -> int                table(layout) -> array of all offsets
    coordinate(layout, offset) -> index, None   size(layout) -> mapping or object with elements, padded_elements, ...
    parse(kind, text) -> text                   relayout(source, target, data) -> array
    apply(function, arguments) -> text, int     make(tag, element_bits, rows, columns) -> text
    bitcast(source, target, transpose) -> bool  equal(a, b, ignored) -> bool
    edit(function, layout, arguments) -> text   shard(layout, device) -> ranges (part_of), None for no part
    reshard(before, after, device) -> numbers of the elements that the device receives, ascending

    parse, apply and edit raise ValueError to reject. NotImplementedError declines a question.
    """

    def __init__(self, subject, name, vectorized, rejects, operations, canonical):
        self.name = name
        self.version = str(getattr(subject, "version", ""))
        self.operations = operations | ({"table"} if "offset" in operations else set())
        self.limits = {"max_questions": COORDINATES, **getattr(subject, "limits", {})}
        self._subject = subject
        self._rejects = rejects
        self._canonical = canonical
        self._own_table = "table" in operations
        self._offset = OffsetFunction(subject.offset, vectorized) if "offset" in operations else None
        self._table_count = 0

    @property
    def offsets_given(self):
        """The number of offsets that the object gave."""
        return self._table_count + (self._offset.count if self._offset else 0)

    @answering
    def offsets(self, text, indices):
        """Returns the offsets of some elements."""
        return self._offset.offsets(text, indices)

    @answering
    def table(self, text):
        """Returns the offsets of all elements, from the object's table, or by its offset."""
        layout = layout_of(text)
        if not self._own_table:
            return self._offset.offsets(text, all_indices(layout.shape), lambda: layout.offset_table().reshape(-1))
        asked = request("table", layout=text)
        table = integers(call(self._subject.table, layout, request=asked), "a table of integers")
        elements = int(np.prod(layout.shape, dtype=np.int64))
        if table.size != elements:
            raise Failed("protocol", f"expected a table of {elements} offsets, got {table.size}", asked)
        self._table_count += table.size
        return table

    @answering
    def coordinates(self, text, offsets):
        """Returns the coordinates at these offsets as rows, and an array with 1 for elements and 0 for padding."""
        layout = layout_of(text)
        rank = len(layout.shape)
        rows = np.zeros((len(offsets), rank), np.int64)
        is_element = np.zeros(len(offsets), np.int64)
        for number, offset in enumerate(offsets.tolist()):
            asked = request("coordinate", layout=text, offset=offset)
            coordinate = call(self._subject.coordinate, layout, offset, request=asked)
            if coordinate is None:
                continue
            coordinate = integers(coordinate, "a coordinate, or None for padding")
            if coordinate.size != rank:
                raise Failed("protocol", f"expected a coordinate of {rank} integers, got {coordinate.tolist()}", asked)
            rows[number] = coordinate
            is_element[number] = 1
        return rows, is_element

    @answering
    def size(self, text):
        """Returns elements, padded_elements, bytes and extent, each None if the object does not know it."""
        asked = request("size", layout=text)
        sizes = call(self._subject.size, layout_of(text), request=asked)
        if not isinstance(sizes, Mapping):
            sizes = {name: getattr(sizes, name) for name in SIZES if hasattr(sizes, name)}
        if not any(name in sizes for name in SIZES):
            raise Failed("protocol", f"expected a size with one of {', '.join(SIZES)}, got none of them", asked)
        return tuple(None if sizes.get(name) is None else integer(sizes[name], name, asked) for name in SIZES)

    @answering
    def parse(self, kind, text):
        """Returns (True, canonical text) or (False, why it is rejected)."""
        asked = request("parse", kind=kind, text=text)
        accepted, answer = self._or_rejected(self._subject.parse, kind, text, request=asked)
        if not accepted:
            return False, answer
        return parsed(answer, lambda: self._canonical(kind, text))

    @answering
    def relayout(self, source, target, data):
        """Returns the data in the memory order of the target."""
        moved = call(self._subject.relayout, layout_of(source), layout_of(target), data)
        return integers(moved, "an array of integers")

    @answering
    def apply(self, function, arguments):
        """Returns (layout, value, why it is rejected), all but one of them None."""
        asked = request("apply", function=function, arguments=arguments)
        accepted, answer = self._or_rejected(self._subject.apply, function, arguments, request=asked)
        if not accepted:
            return None, None, answer
        if hasattr(type(answer), "__index__") and not isinstance(answer, bool):
            return None, integer(answer, request=asked), None
        return layout_text(answer, asked), None, None

    @answering
    def make(self, tag, element_bits, rows, columns):
        """Returns the text of a layout."""
        asked = request("make", tag=tag, element_bits=element_bits, rows=rows, columns=columns)
        return layout_text(call(self._subject.make, tag, element_bits, rows, columns, request=asked), asked)

    @answering
    def bitcast(self, source, target, transpose):
        """Returns True if reading `source` as `target` moves no element."""
        return self._truth(self._subject.bitcast, layout_of(source), layout_of(target), transpose)

    @answering
    def equal(self, a, b, ignored):
        """Returns True if two layouts are equal but for the ignored parts."""
        return self._truth(self._subject.equal, layout_of(a), layout_of(b), ignored)

    @answering
    def edit(self, function, text, arguments):
        """Returns (layout, why it is rejected), one of them None."""
        asked = request("edit", function=function, layout=text, arguments=arguments)
        accepted, answer = self._or_rejected(self._subject.edit, function, layout_of(text), arguments, request=asked)
        return (layout_text(answer, asked), None) if accepted else (None, answer)

    @answering
    def shard(self, text, device):
        """Returns the part of a device, as `part_of` does."""
        asked = request("shard", layout=text, device=device)
        layout = layout_of(text)
        return part_of(call(self._subject.shard, layout, device, request=asked), layout.shape, asked)

    @answering
    def reshard(self, before, after, device):
        """Returns the numbers of the elements that a device receives."""
        asked = request("reshard", **{"from": before, "to": after, "device": device})
        received = call(self._subject.reshard, layout_of(before), layout_of(after), device, request=asked)
        return integers(received, "an array of the numbers of elements")

    def _or_rejected(self, function, *arguments, request):
        """Returns (True, result) or, if the function raises one of the exceptions that reject, (False, why)."""

        def guarded():
            try:
                return True, function(*arguments)
            except self._rejects as error:
                return False, utf8(error)

        accepted, result = call(guarded, request=request)
        if result is NotImplemented:
            raise NotImplementedError(f"{function.__name__} returned NotImplemented")
        return accepted, result

    @staticmethod
    def _truth(function, *arguments):
        answer = call(function, *arguments)
        if not isinstance(answer, (bool, np.bool_)):
            raise Failed("protocol", f"expected True or False, got {type(answer).__name__} {answer!r:.60}")
        return bool(answer)
