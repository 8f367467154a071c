# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Methods of Layout that draw it, and bank conflicts of accesses to it."""

import html
import json
from typing import Any, List, NamedTuple, Optional, Sequence, Tuple

from . import _core
from ._arguments import count, integers
from ._core import Layout
from .errors import LayoutError
from .layouts import layout_method

_VIEWS = ("memory", "logical", "both", "threads")


class Phase(NamedTuple):
    """Lanes of an access that are served together."""

    first_lane: int
    lanes: int
    passes: int  # 1 if no bank has to serve several words
    merged_by: int  # every lane accesses the address of lane ^ merged_by; 0 if the phase is not merged


class Banks(NamedTuple):
    """The banks of shared memory that an access uses. A word has 4 bytes, and there are 32 banks."""

    addresses: Tuple[int, ...]  # first byte of each lane
    bytes: int  # per lane
    load_passes: int
    store_passes: int
    load_degree: int  # most words that one bank has to serve in one phase of a load
    store_degree: int
    load_phases: Tuple[Phase, ...]
    store_phases: Tuple[Phase, ...]

    @property
    def has_conflicts(self) -> bool:
        """True if a bank has to serve several words in one phase of a load or a store."""
        return max(self.load_degree, self.store_degree) > 1


def _checked(view: Any, access: Any, tile: Any) -> Tuple[str, Optional[str], List[int]]:
    if view not in _VIEWS:
        raise ValueError(f"view: expected one of {', '.join(_VIEWS)}, got {view!r}")
    if access is not None and not isinstance(access, str):
        raise TypeError(f"access: expected a text such as 'lane -> 16 bytes of f16', got {access!r}")
    return view, access, integers("tile", tile, "sizes such as (16, 8)")


@layout_method
def show(
    self: Layout, view: str = "memory", *, access: Optional[str] = None, tile: Sequence[int] = (), width: int = 100
) -> str:
    """Returns sizes and a picture as text, as `layoutcheck show` prints them.

    Args:
        view: "memory", "logical" (the array in its own order), "both", or "threads". An array with a sharding has one
            picture, the array with the device of each element.
        access: an access such as "lane -> 16 bytes of f16", whose bank conflicts are said, too.
        tile: sizes of the tile for the view "threads" of a shape:stride layout.
        width: columns of the text.

    Raises:
        LayoutError: the access or the tile does not fit the layout.
    """
    return _core.show(self, *_checked(view, access, tile), count("width", width, least=20, most=10000))


@layout_method
def svg(self: Layout, view: str = "memory", *, access: Optional[str] = None, tile: Sequence[int] = ()) -> str:
    """Returns sizes and a picture as an SVG file, as `layoutcheck show --svg FILE` writes it. The arguments are those of show."""
    return _core.svg(self, *_checked(view, access, tile))


@layout_method
def banks(self: Layout, access: str) -> Banks:
    """Returns the bank conflicts of an access to shared memory, as `layoutcheck show --access` says them.

    Args:
        access: "lane -> 16 bytes of f16": each lane accesses 16 bytes from its element on. The lane is the input of that
            name, or else the first dimension, and all other coordinates are 0. Or "addresses 0,16,32 16 bytes".

    Raises:
        LayoutError: a text that is no access, or an access that does not fit the layout.
    """
    _checked("memory", access, ())
    document = json.loads(_core.banks(self, access))
    phases = {
        name: tuple(
            Phase(phase["first_lane"], phase["lanes"], phase["passes"], phase["merged_by"] or 0)
            for phase in document[name]
        )
        for name in ("load_phases", "store_phases")
    }
    numbers = {name: document[name] for name in ("bytes", "load_passes", "store_passes", "load_degree", "store_degree")}
    return Banks(addresses=tuple(document["addresses"]), **numbers, **phases)


def picture_or_none(text: str) -> Optional[str]:
    """Returns the SVG of the layout of a text, or None for a text that is none, or a layout without a picture."""
    try:
        return Layout(text).svg("both")
    except LayoutError:
        return None


@layout_method
def _repr_html_(self: Layout) -> str:
    """Returns sizes and a picture for a notebook: of the memory, or of an array with a sharding."""
    if self.sharding is not None:
        return f"<div>{self.svg()}</div>"
    rows = "".join(f"<tr><td>{html.escape(n)}</td><td>{html.escape(v)}</td></tr>" for n, v in self.facts)
    return f"<div><code>{html.escape(self.text)}</code><table>{rows}</table>{self._memory_svg()}</div>"
