# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The texts of layouts, drawn field by field from Hypothesis.

ConjectureData.draw_integer with `weights`, and draw_boolean, are internal to Hypothesis, because its public strategies
take no weights. Other choices of values, such as one public draw per choice of the generator, shrink to other minima:
docs/python.md compares them.
"""

import functools

from hypothesis.strategies import SearchStrategy

from . import _core

_UNLIKELY = 2.0**-30  # probability that a field is not the one that the generator drew
_HUGE = 2**63 - 1
_LARGEST_TILE = 4096
_LARGEST_SORT_KEY = 7
_MOST_COORDINATES = 256  # of a shape:stride layout


def _code(size):
    """Maps sizes to integers in the order of their simplicity, 1 before 0 before 2, and back."""
    return 1 - size if size < 2 else size


class Fields:
    """Draws the fields of one layout from Hypothesis, each most likely as it is suggested."""

    def __init__(self, data):
        self.data = data

    def integer(self, least, most, suggested):
        suggested = min(max(suggested, least), most)
        return self.data.draw_integer(least, most, weights={suggested: 1 - _UNLIKELY})

    def flag(self, suggested):
        return self.data.draw_boolean(1 - _UNLIKELY if suggested else _UNLIKELY)

    def optional(self, most, suggested):
        """Draws an integer from 0 to `most`. Hypothesis puts constants in place of integers; here not in place of 0."""
        return 1 + self.integer(0, most - 1, suggested - 1) if self.flag(suggested > 0) else 0

    def items(self, label, suggested, default, most, least=0):
        """Yields suggested items, or `default` past their end, in spans that Hypothesis can delete.

        Each span has a label of its own: Hypothesis exchanges spans of equal labels at random, so that fewer layouts would
        have tiles.
        """
        for k in range(most + 1):
            self.data.start_span(hash((label, k)) % 2**63)
            try:
                # The flag after the last possible item is drawn, too: without it, no item before could be deleted.
                if k >= least and not (self.flag(k < len(suggested)) and k < most):
                    return
                yield suggested[k] if k < len(suggested) else default
            finally:
                self.data.stop_span()


# Sources are kept, because the families of the first one take some milliseconds to read.
_source = functools.lru_cache(maxsize=100)(_core.LayoutSource)


class TiledLayouts(SearchStrategy):
    """Texts of HLO layouts: see tiled_layouts."""

    def __init__(self, max_rank, max_tiles, max_elements, combine, attributes, huge, family):
        super().__init__()
        self.limits = dict(max_rank=max_rank, max_tiles=max_tiles, max_elements=max_elements)
        self.options = dict(combine=combine, attributes=attributes, huge=huge, family=family)
        self.most = _HUGE if huge else max_elements
        self.most_padded = _HUGE if huge else 8 * max_elements
        self._source = _source(**self.limits, max_padded_elements=8 * max_elements, **self.options, pattern=None)

    def __repr__(self):
        options = {**self.limits, **self.options}
        return "tiled_layouts(" + ", ".join(f"{name}={value!r}" for name, value in options.items()) + ")"

    def do_draw(self, data):
        draw = Fields(data)
        number = int.from_bytes(data.draw_bytes(8, 8), "big")
        dimensions, tiles, attributes, split = self._source.fields(number)
        dimensions = self.draw_dimensions(draw, dimensions)
        tiles = self.draw_tiles(draw, tiles)
        if self.options["attributes"]:
            attributes = self.draw_attributes(draw, attributes)
            split = self.draw_split(draw, dimensions, split)
        else:
            attributes, split = (0, 0, 1, 0, 0), None
        return _core.text_of_fields((dimensions, tiles, attributes, split), self.most_padded)

    def draw_dimensions(self, draw, suggested):
        # The size of the first dimension is drawn last, as the number of elements; before, it is only drawn whether it is 0.
        # When another dimension is deleted, the number stays: a bug that needs many elements is shrunk to one dimension.
        sizes, keys, dynamic = [], [], []
        elements = 1
        for size, key, is_dynamic in draw.items(1, suggested, (1, 0, False), self.limits["max_rank"]):
            size = _code(draw.integer(0, self.most, _code(size if sizes else min(size, 1))))
            if sizes:
                size = min(size, max(self.most // elements, 1))
                elements *= max(size, 1)
            sizes.append(size)
            keys.append(draw.integer(0, _LARGEST_SORT_KEY, key))
            dynamic.append(self.options["attributes"] and draw.flag(is_dynamic))
        if sizes:
            first = draw.integer(elements, self.most, max(suggested[0][0] if suggested else 1, 1) * elements) // elements
            sizes[0] = min(sizes[0], 1) * first
        return list(zip(sizes, keys, dynamic))

    def draw_tiles(self, draw, suggested):
        tiles = []
        for tile in draw.items(2, suggested, [1], self.limits["max_tiles"]):
            entries = []
            for entry in draw.items(100 + len(tiles), tile, 1, self.limits["max_rank"] + 2, least=1):
                combined = _LARGEST_TILE
                drawn = draw.integer(0, combined if self.options["combine"] else combined - 1, (entry or 4097) - 1)
                entries.append(0 if drawn == combined else drawn + 1)
            tiles.append(entries)
        return tiles

    def draw_attributes(self, draw, suggested):
        element_type, bits, tail_padding, memory_space, prefix = suggested
        return (
            draw.optional(_core.ELEMENT_TYPES - 1, element_type),
            draw.optional(64, bits),
            draw.optional(4095, tail_padding - 1) + 1,
            draw.optional(255, memory_space),
            draw.optional(4095, prefix),
        )

    def draw_split(self, draw, dimensions, suggested):
        rank = len(dimensions)
        if rank == 0:
            return None
        physical, indices = suggested or (0, [])
        order = sorted(reversed(range(rank)), key=lambda d: dimensions[d][1])
        drawn = []
        physical_drawn = None
        for index in draw.items(4, indices, 1, 3):
            if physical_drawn is None:
                physical_drawn = draw.integer(0, rank - 1, physical)
            size = dimensions[order[rank - 1 - physical_drawn]][0]
            least = drawn[-1] + 1 if drawn else 1
            drawn.append(draw.integer(least, max(least, size - 1), index))
        return (physical_drawn, drawn) if drawn else None


class ShapeStrideLayouts(SearchStrategy):
    """Texts of shape:stride layouts: see shape_stride_layouts."""

    def __repr__(self):
        return "shape_stride_layouts()"

    def do_draw(self, data):
        draw = Fields(data)
        suggested, is_tuple = _core.shape_stride_fields(int.from_bytes(data.draw_bytes(8, 8), "big"))
        modes = []
        coordinates = 1
        for mode in draw.items(5, suggested, [(1, 1)], 3, least=1):
            leaves = []
            for size, stride in draw.items(200 + len(modes), mode, (1, 1), 2, least=1):
                size = min(draw.integer(0, _MOST_COORDINATES - 1, size - 1) + 1, _MOST_COORDINATES // coordinates)
                coordinates *= size
                leaves.append((size, _stride_of(draw.integer(0, 2**20, _code_of_stride(stride)))))
            modes.append(leaves)
        is_tuple = draw.flag(is_tuple and len(suggested) == 1) or len(modes) > 1
        parts = []
        for part in range(2):  # sizes, strides
            texts = [_tuple_text([str(leaf[part]) for leaf in leaves], len(leaves) > 1) for leaves in modes]
            parts.append(_tuple_text(texts, is_tuple))
        return ":".join(parts)


def _code_of_stride(stride):
    """Maps 1, 0, 2, -1, 3, -2, ... to 0, 1, 2, ..., the order of simplicity."""
    return 1 - stride if stride in (0, 1) else 2 * stride - 2 if stride > 1 else 1 - 2 * stride


def _stride_of(code):
    return 1 - code if code < 2 else code // 2 + 1 if code % 2 == 0 else -(code // 2)


def _tuple_text(texts, is_tuple):
    return f"({','.join(texts)})" if is_tuple else texts[0]


class PatternLayouts(SearchStrategy):
    """Texts of the layouts of one pattern: its names' values are drawn."""

    def __init__(self, pattern, max_elements, huge):
        super().__init__()
        self.pattern = pattern
        self.most = _HUGE if huge else max_elements
        self.most_padded = _HUGE if huge else 8 * max_elements
        self._source = _source(
            max_rank=8, max_tiles=4, max_elements=max_elements, max_padded_elements=8 * max_elements, combine=True,
            attributes=True, huge=huge, family=None, pattern=pattern,
        )

    def __repr__(self):
        return f"layouts({self.pattern!r})"

    def do_draw(self, data):
        draw = Fields(data)
        number = int.from_bytes(data.draw_bytes(8, 8), "big")
        values = []
        for value, is_tile in zip(self._source.values(number), self._source.names_are_tiles):
            if is_tile:
                values.append(draw.integer(0, _LARGEST_TILE - 1, value - 1) + 1)
            else:
                values.append(_code(draw.integer(0, self.most, _code(value))))
        text = self._source.write(values, self.most_padded)
        if text is None:
            data.mark_invalid("the pattern has no layout of these sizes within max_elements")
        return text
