#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the list of lemmas in docs/certificates.md from the rules in verify/proof/lemmas.h.

  tools/lemma_page.py          writes the list
  tools/lemma_page.py --check  ends with exit code 1 if the page has another list
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
HEADER = ROOT / "verify/proof/lemmas.h"
PAGE = ROOT / "docs/certificates.md"
BEGIN = "<!-- tools/lemma_page.py writes this list from verify/proof/lemmas.h. -->\n"
END = "<!-- End of the list. -->\n"
FIELDS = ("name", "meaning", "arguments", "side_condition", "premises", "conclusions")
OPERATORS = {"floordiv": "floordiv", "ceildiv": "ceildiv", "mod": "mod", "land": "and"}


def read_rules(header):
    """Returns the fields of each rule in the table kLemmaTexts, as a dictionary."""
    table = re.search(r"kLemmaTexts\[\] = \{(.*?)\n\};", header, re.DOTALL)
    if not table:
        raise SystemExit(f"{HEADER}: expected the table kLemmaTexts")
    rules = []
    for row in re.findall(r"\{(\.name = .*?)\}", table.group(1), re.DOTALL):
        fields = {name: "".join(re.findall(r'"([^"]*)"', texts))
                  for name, texts in re.findall(r'\.(\w+) =((?:\s*"[^"]*")+)', row)}
        if not fields.keys() <= set(FIELDS):
            raise SystemExit(f"{HEADER}: expected the fields {', '.join(FIELDS)}, found {', '.join(fields)}")
        rules.append({name: fields.get(name, "") for name in FIELDS})
    return rules


def claim_text(claim):
    """Returns the claim as the page writes it: `e floordiv t` for floordiv(e,t), in parentheses unless it stands alone."""
    sides = []
    for part in re.split(r"( <= | < | = )", claim):
        alone = re.fullmatch(r"(\w+)\((\w+),(\w+)\)", part)
        infix = r"\2 {} \3" if alone else r"(\2 {} \3)"
        for function, operator in OPERATORS.items():
            part = re.sub(rf"\b({function})\((\w+),(\w+)\)", infix.format(operator), part)
        sides.append(part)
    return f"`{''.join(sides)}`"


def list_text(rules):
    """Returns the lines of the list, a table with one row per rule."""
    lines = ["| rule | arguments | side condition | premises | conclusion |", "|---|---|---|---|---|"]
    for rule in rules:
        claims = ["<br>".join(map(claim_text, filter(None, rule[side].split("; "))))
                  for side in ("side_condition", "premises", "conclusions")]
        meaning = rule["meaning"].replace("|", r"\|")
        lines.append(f"| **{rule['name']}** {meaning} | {', '.join(rule['arguments'].split())} | {' | '.join(claims)} |")
    return "\n".join(lines) + "\n"


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        raise SystemExit(__doc__)
    page = PAGE.read_text(encoding="utf-8")
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise SystemExit(f"{PAGE}: expected the lines '{BEGIN.strip()}' and '{END.strip()}'")
    written = before + BEGIN + list_text(read_rules(HEADER.read_text(encoding="utf-8"))) + END + after
    if sys.argv[1:] == ["--check"]:
        if written != page:
            raise SystemExit(f"{PAGE} does not have the lemmas of {HEADER}: run tools/lemma_page.py")
    else:
        PAGE.write_text(written, encoding="utf-8")


if __name__ == "__main__":
    main()
