# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles sources one by one, without writing objects: a source that has to stand behind others in a unity build fails.

    compile_alone.py COMPILE_COMMANDS SOURCE...
"""
import json
import os
import shlex
import subprocess
import sys


def main():
    with open(sys.argv[1]) as text:
        commands = {entry["file"]: entry for entry in json.load(text)}
    failed = False
    for source in sys.argv[2:]:
        entry = commands[os.path.abspath(source)]
        words = shlex.split(entry["command"])
        compiler = next(at for at, word in enumerate(words) if "clang++" in word)
        command = [word for word in words[compiler:] if not word.startswith(("-fsanitize", "-fno-sanitize"))]
        failed |= subprocess.run([*command, "-fsyntax-only"], cwd=entry["directory"]).returncode != 0
    return failed


if __name__ == "__main__":
    sys.exit(main())
