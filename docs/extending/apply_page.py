#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Applies the code of a page to copies of the files that it names.

usage: apply_page.py PAGE SOURCE_TREE TARGET_TREE

A block whose first line is ```LANGUAGE file=PATH is the new file PATH. A block ```diff file=PATH changes it: its lines with a
blank or - in front, and empty lines, stand in the file exactly once, one after the other; lines with + are new. Files are
written to TARGET_TREE; a file that would not change is left alone, so that nothing is built again for it.
"""

import pathlib
import re
import sys


def blocks(page):
    """Yields (language, path, text) of each block that names a file."""
    for language, path, body in re.findall(r"^```(\w+) file=(\S+)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL):
        yield language, path, body


def changed(text, body, path):
    """Returns `text` with the change `body`."""
    lines = [line if line.strip() else " " + line for line in body.splitlines(keepends=True)]
    before = "".join(line[1:] for line in lines if line[0] in " -")
    after = "".join(line[1:] for line in lines if line[0] in " +")
    if text.count(before) != 1:
        sys.exit(f"docs/extending.md: these lines are in {path} {text.count(before)} times, expected once; change the page to "
                 f"what the file says now:\n{before}")
    return text.replace(before, after)


def main():
    page, source, target = map(pathlib.Path, sys.argv[1:])
    files = {}
    for language, path, body in blocks(page.read_text()):
        if language == "diff":
            files[path] = changed(files.get(path) or (source / path).read_text(), body, path)
        else:
            files[path] = body
    for path, text in files.items():
        file = target / path
        if not file.exists() or file.read_text() != text:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)


if __name__ == "__main__":
    main()
