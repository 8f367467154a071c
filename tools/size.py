#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Says how large the C++ sources are: lines per room, the longest functions, the longest files, and what grew.

  tools/size.py             compares with the last tag
  tools/size.py COMMIT      compares with this commit

Lines are counted as `wc -l` counts them. Tests, which are files named *_test.cc and files in a folder `testing`, have a column
of their own. Reads the files of the working tree; nothing has to be built.
"""
import argparse
import collections
import os
import pathlib
import subprocess
import sys

from cpp_functions import Unbalanced, functions

ROOT = pathlib.Path(__file__).resolve().parent.parent
COUNTED = ["json", "core", "properties", "solver", "fuzz", "subjects", "cli", "bench"]
APART = ["json", "llvm", "verify", "python", "web"]
LONG_FUNCTION = 60
LONG_FILE, LIMIT = 350, 400  # .ci/lint refuses a file of more lines than the limit
FILES_THAT_GREW = 15


def is_source(path):
    return path.endswith((".cc", ".h", ".c")) and path.split("/")[0] in COUNTED + APART


def is_test(path):
    return path.endswith("_test.cc") or "/testing/" in path


def room(path):
    """Returns the first two folders of a path, or the first one for a file that lies in it."""
    return "/".join(path.split("/")[:-1][:2])


def git(root, *arguments):
    """Returns the output of git in bytes, or None where git fails or is not installed."""
    try:
        result = subprocess.run(["git", "-C", str(root), *arguments], capture_output=True, check=False)
    except FileNotFoundError:
        return None
    return result.stdout if result.returncode == 0 else None


def sources_now(root):
    """Returns the text of each source file in the working tree by its path. Files that git ignores are left out."""
    listed = git(root, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    if listed is not None:
        paths = [path for path in listed.decode().split("\0") if is_source(path)]
    else:
        paths = [os.path.relpath(os.path.join(folder, name), root)
                 for top in COUNTED + APART for folder, _, names in os.walk(root / top) for name in names]
        paths = [path for path in paths if is_source(path)]
    files = [path for path in sorted(set(paths)) if (root / path).is_file() and not (root / path).is_symlink()]
    return {path: (root / path).read_text(encoding="utf-8") for path in files}


def lines_at(root, commit):
    """Returns the number of lines of each source file of a commit by its path."""
    listed = git(root, "ls-tree", "-r", "-z", commit).decode().split("\0")
    blobs = {}
    for entry in filter(None, listed):
        (mode, _, blob), path = entry.split("\t")[0].split(), entry.split("\t")[1]
        if is_source(path) and mode.startswith("100"):
            blobs[path] = blob
    batch = subprocess.run(["git", "-C", str(root), "cat-file", "--batch"], input="\n".join(blobs.values()).encode(),
                           capture_output=True, check=True).stdout
    lines, at = {}, 0
    for path in blobs:
        end_of_header = batch.index(b"\n", at)
        begin = end_of_header + 1
        end = begin + int(batch[at:end_of_header].split()[2])
        lines[path] = batch.count(b"\n", begin, end)
        at = end + 1
    return lines


def base_of_comparison(root, commit):
    """Returns the commit to compare with and its name, or None and the reason why there is none."""
    if git(root, "rev-parse", "--git-dir") is None:
        return None, "not compared with an older version: this is no checkout of git"
    if commit is None:
        tag = git(root, "describe", "--tags", "--abbrev=0")
        if tag is None:
            return None, "not compared with an older version: there are no tags; ./run size COMMIT compares with a commit"
        commit = tag.decode().strip()
    resolved = git(root, "rev-parse", "--verify", "--quiet", commit + "^{commit}")
    if resolved is None:
        sys.exit(f"size: no commit '{commit}' in this checkout; expected a tag, a branch or the hash of a commit")
    return resolved.decode().strip(), commit


def sums(lines):
    """Returns the number of files, lines and lines of tests per room."""
    rooms = collections.defaultdict(lambda: [0, 0, 0])
    for path, count in lines.items():
        entry = rooms[room(path)]
        entry[0] += not is_test(path)
        entry[2 if is_test(path) else 1] += count
    return rooms


def print_rooms(lines, old, name):
    """Prints a table of rooms. The last column, the growth of the lines outside tests, is there if `old` is."""
    print(f"{'room':32}{'files':>7}{'lines':>9}{'tests':>9}" + ("" if old is None else f"  since {name}"))

    def row(label, entries, old_entries):
        files, shipped, tests = (sum(column) for column in zip(*entries)) if entries else (0, 0, 0)
        line = f"{label:32}{files:7}{shipped:9}{tests:9}"
        if old is not None:
            line += f"{shipped - sum(entry[1] for entry in old_entries):+{len(name) + 8}}"
        print(line)

    now, then = sums(lines), sums(old or {})

    def group(label, tops):
        names = sorted({each for each in [*now, *then] if each.split("/")[0] in tops},
                       key=lambda each: (tops.index(each.split("/")[0]), each))
        for each in names:
            row(each, [now[each]] if each in now else [], [then[each]])
        row(label, [now[each] for each in names if each in now], [then[each] for each in names])
        print()

    group(f"total of {len(COUNTED)} layers", COUNTED)
    group("total of the others", [top for top in APART if any(path.startswith(top + "/") for path in [*lines, *(old or [])])])


def print_functions(texts):
    """Prints the functions of more than LONG_FUNCTION lines, the longest first. Returns False if a file could not be read."""
    found, readable, in_tests = [], True, 0
    for path, text in texts.items():
        try:
            for function in functions(text):
                if function.lines > LONG_FUNCTION:
                    in_tests += is_test(path)
                    found += [] if is_test(path) else [(-function.lines, path, function)]
        except Unbalanced as error:
            print(f"size: {path}:{error.line}: {error}", file=sys.stderr)
            readable = False
    print(f"{len(found)} functions of more than {LONG_FUNCTION} lines outside tests, {in_tests} in tests")
    for _, path, function in sorted(found):
        print(f"{function.lines:7}  {path}:{function.line} {function.name}")
    print()
    return readable


def print_long_files(lines):
    long = sorted((-count, path) for path, count in lines.items() if LONG_FILE <= count <= LIMIT)
    print(f"{len(long)} files of {LONG_FILE} to {LIMIT} lines, of which {sum(is_test(path) for _, path in long)} are tests")
    for count, path in long:
        print(f"{-count:7}  {path}")
    print()


def print_growth(lines, old, name):
    grown = sorted((old.get(path, 0) - lines.get(path, 0), path) for path in {*lines, *old})
    new, gone = sum(path not in old for path in lines), sum(path not in lines for path in old)
    change = sum(lines.values()) - sum(old.values())
    print(f"since {name}: {change:+} lines with tests, {new} new files, {gone} files gone; what grew most:")
    for count, path in grown[:FILES_THAT_GREW]:
        if count < 0:
            print(f"{-count:+7}  {path}{'' if path in old else ' (new)'}")


def main(arguments, root=ROOT):
    parser = argparse.ArgumentParser(prog="size", description=__doc__.splitlines()[0])
    parser.add_argument("commit", nargs="?", metavar="COMMIT", help="compare with this commit, not with the last tag")
    commit, name = base_of_comparison(root, parser.parse_args(arguments).commit)
    texts = sources_now(root)
    lines = {path: text.count("\n") for path, text in texts.items()}
    old = None if commit is None else lines_at(root, commit)
    print_rooms(lines, old, name)
    readable = print_functions(texts)
    print_long_files(lines)
    if old is None:
        print(name)
    else:
        print_growth(lines, old, name)
    return 0 if readable else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
