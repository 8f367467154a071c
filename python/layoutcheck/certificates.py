# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Certificates of proofs: their check, and the address at which the page shows them."""

import base64
import json
import os
import zlib
from dataclasses import dataclass
from typing import List, Optional, Tuple, Union

from . import _core

_FIRST = "layoutcheck certificate"
MOST_CHARACTERS = 32000  # of an address, as for `layoutcheck prove --link`


@dataclass(frozen=True)
class CheckedClaim:
    """The verdict of the checker on one certificate. It is true if the certificate proves its claim.

    Attributes:
        claim: the claim in one line.
        law: name of the law that is claimed.
        proved: whether each step was followed.
        scope: "for all M, N >= 0 and every index".
        assume: conditions of the claim.
        steps: number of checked steps and goals.
        line: the last line of the certificate, or the one that is refused.
        reason: why it is refused; empty if it is proved.
    """

    claim: str
    law: str
    proved: bool
    scope: str
    assume: Tuple[str, ...]
    steps: int
    line: int
    reason: str

    def __bool__(self) -> bool:
        return self.proved

    def __str__(self) -> str:
        if self.proved:
            return f"{self.claim}: proved {self.scope} (certificate, {self.steps} steps)"
        return f"{self.claim}: refused: line {self.line}: {self.reason}"


def verify(certificates: Union[str, "os.PathLike[str]"]) -> List[CheckedClaim]:
    """Checks certificates with the checker of `layoutcheck verify`, which shares no code with the prover.

    Args:
        certificates: the text of one or several, such as `Verdict.certificate`, or the path of a file with them.

    Raises:
        LayoutError: the text is no certificate.
        OSError: the file cannot be read.
    """
    if not isinstance(certificates, str) or not certificates.startswith(_FIRST):
        with open(os.fspath(certificates), encoding="utf-8", errors="surrogateescape", newline="") as file:
            certificates = file.read()
    # A byte that is no UTF-8 is wrong in each certificate; as U+FFFD it is refused, too.
    text = certificates.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return [CheckedClaim(**{**row, "assume": tuple(row["assume"])}) for row in json.loads(_core.verify(text))]


def link_of(certificate: str, page: Optional[str] = None) -> Optional[str]:
    """Returns the address at which the page checks the certificates, or None if it would be too long."""
    base = page or os.environ.get("LAYOUTCHECK_PAGE") or "index.html"
    packed = base64.urlsafe_b64encode(zlib.compress(certificate.encode(), 9)).decode().rstrip("=")
    address = f"{base}#certificate={packed}"
    return address if len(address) <= MOST_CHARACTERS else None
