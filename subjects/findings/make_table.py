#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes corpus/conformance/README.md, the table of differences between real code and its documentation, from corpus/findings/.

usage: make_table.py [--check]      (--check: writes nothing, and exits 1 if the file is not up to date)
"""

import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TARGET = ROOT / "corpus" / "conformance" / "README.md"
CLASSES = ["crash", "wrong address or size", "accepts malformed", "loses a field", "documented otherwise"]
HEAD = """# Where documentation and real code disagree

Read this page if you use one of these implementations and want to know where it differs from its own documents.
`subjects/findings/make_table.py` writes it from [corpus/findings](../findings/README.md), which has at most five lines per row that
show the difference without layoutcheck. `subjects/findings/rerun.py` runs all of them again.
"""


def cell(text):
    """Returns the text of a table's cell, with the characters replaced that would end it."""
    return text.replace("|", "\\|").replace("\n", " ")


def code(text):
    return "`" + cell(text).replace("`", "'") + "`"


def table():
    findings = {}
    for file in sorted((ROOT / "corpus" / "findings").glob("*.jsonl")):
        for line in file.read_text().splitlines():
            finding = json.loads(line)
            findings.setdefault((finding["implementation"], finding["version"]), []).append(finding)
    lines = [HEAD]
    lines.append("| implementation | version | " + " | ".join(CLASSES) + " |")
    lines.append("|---|---|" + "---|" * len(CLASSES))
    for (implementation, version), rows in sorted(findings.items()):
        counts = [sum(row["class"] == name for row in rows) for name in CLASSES]
        lines.append(f"| {implementation} | {version} | " + " | ".join(map(str, counts)) + " |")
    for (implementation, version), rows in sorted(findings.items()):
        lines.append(f"\n## {implementation} ({version})\n")
        lines.append("| id | class | smallest input | documented | real | known upstream |")
        lines.append("|---|---|---|---|---|---|")
        for row in sorted(rows, key=lambda row: (CLASSES.index(row["class"]), row["id"])):
            cells = [row["id"], row["class"], code(row["input"]),
                     f"{cell(row['expected'])} ({cell(row['contract'])})", cell(row["actual"]), cell(row["upstream"])]
            lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def main():
    text = table()
    if sys.argv[1:] == ["--check"]:
        if not TARGET.exists() or TARGET.read_text() != text:
            print(f"{TARGET.relative_to(ROOT)} is not up to date: run subjects/findings/make_table.py")
            return 1
        return 0
    if sys.argv[1:]:
        sys.exit(__doc__)
    TARGET.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
