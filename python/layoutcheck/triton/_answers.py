# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The answer to a question about a kernel."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class KernelVerdict:
    """The verdict on one law of one configuration of a kernel, which is true only if it is "proved".

    law: "accesses", "race-free", "relayout", "distinct-stores" or "complete", as in docs/prove-kernel.md.
    verdict: "proved", "refuted", "unknown", or "not asked" of a law that says nothing about the kernel.
    counterexample: for "refuted", the sizes, the program (block_x, block_y, block_z) and the element of its blocks
        (thread_x, ...) by name; otherwise None.
    reason: for "refuted", what goes wrong and at which line; for "unknown" and "not asked", why.
    where: the conditions, besides those of the question, under which the verdict holds.
    right_while: of a law that is refuted for large sizes only, the condition under which it is proved; otherwise "".
        right_while_is_exact: whether the law is false for all other sizes.
    replay: what Triton's interpreter did at the counterexample, or why it was not asked; "" if nothing is refuted.
    configuration: the constants of triton.autotune, by name. for_all: the names for all values of which it holds.
    scope: for_all with the ranges as a text, "for all N >= 0 and every index". method, seconds: as of lc.Verdict.
    """

    law: str
    verdict: str
    counterexample: dict[str, int] | None = None
    reason: str = ""
    where: tuple[str, ...] = ()
    right_while: str = ""
    right_while_is_exact: bool = False
    replay: str = ""
    configuration: dict[str, object] = field(default_factory=dict)
    for_all: tuple[str, ...] = ()
    scope: str = field(default="", repr=False)
    method: str = field(default="", repr=False)
    seconds: float = field(default=0.0, repr=False)

    def __bool__(self) -> bool:
        return self.verdict == "proved"

    def __str__(self) -> str:
        text = f"{self.law:<16} {self.verdict}"
        if self.verdict == "proved":
            where = f" where {' and '.join(self.where)}" if self.where else ""
            return f"{text} {self.scope}{where}"
        if self.counterexample is not None:
            text += ": " + " ".join(f"{name}={value}" for name, value in self.counterexample.items())
            text += f"; {self.reason}" if self.reason else ""
        else:
            text += f": {self.reason}"
        if self.right_while:
            text += f"; right {'exactly ' if self.right_while_is_exact else ''}while {self.right_while}"
        return f"{text}; {self.replay}" if self.replay else text


@dataclass(frozen=True, repr=False)
class KernelAnswer:
    """The verdicts on a kernel. It is true only if all that was asked is proved, of every configuration.

    kernel: the name of the function. results: the verdicts, one per law, configuration by configuration.
    """

    kernel: str
    results: tuple[KernelVerdict, ...]

    def __bool__(self) -> bool:
        asked = [result for result in self.results if result.verdict != "not asked"]
        return bool(asked) and all(asked)

    def __repr__(self) -> str:
        lines = []
        shown = None
        for result in self.results:
            if result.configuration != shown:
                shown = result.configuration
                constants = ", ".join(f"{name}={value}" for name, value in shown.items())
                lines.append(f"{self.kernel}[{constants}]" if constants else self.kernel)
            lines.append(f"  {result}")
        return "\n".join(lines)
