# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The exception of layoutcheck."""

import re
from typing import Optional

_EXPECTED = re.compile(r"expected (.*?)(?:, (?:found|got) |$)", re.DOTALL)


class LayoutError(ValueError):
    """A text, a layout or an argument that cannot be used.

    Attributes:
        message: what is wrong and what was expected.
        column: 1-based column of the error in the text, in characters; None without a text.
        expected: what was expected at the column; None if the message does not say.
        kind: "syntax", "layout", "argument", "overflow", "unsupported" or "unavailable".
    """

    message: str
    column: Optional[int]
    expected: Optional[str]
    kind: str

    def __init__(self, message: str, column: Optional[int] = None, kind: str = "argument") -> None:
        super().__init__(message, column, kind)
        self.message = message
        self.column = column
        self.kind = kind
        match = _EXPECTED.search(message)
        self.expected = match.group(1) if match else None

    def __str__(self) -> str:
        return self.message if self.column is None else f"column {self.column}: {self.message}"
