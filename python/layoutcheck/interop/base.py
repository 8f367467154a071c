# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shared by the modules of layoutcheck.interop."""

from ..errors import LayoutError


def unsupported(message: str) -> LayoutError:
    """Returns the error for a layout that the other side cannot express."""
    return LayoutError(message, None, "unsupported")
