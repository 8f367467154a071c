#!/usr/bin/env python3
"""How strong the tests of the parser are: changes one operator or constant at a time and sees who notices.

  fuzz/mutation_testing.py BUILD_DIR [--sample N] [--seed N] [--survivors]

BUILD_DIR is a finished build of the preset `dev`. Each mutant of the lexer, parser, printer and validator is compiled and
linked into the tests of core's text, into the replay programs, and into the fuzzer's properties. Printed: the share of
mutants killed by each, and with --survivors those that nothing kills. Builds nothing in BUILD_DIR.
"""
import argparse
import os
import random
import re
import shlex
import subprocess
import sys
import tempfile

SOURCES = ["core/lexer.cc", "core/parser.cc", "core/shape_parser.cc", "core/printer.cc", "core/validate.cc"]
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TIMEOUT = 60

# What is changed, and into what. Applied outside comments, strings and preprocessor lines.
RULES = [
    (r"==", "!="), (r"!=", "=="), (r" < ", " <= "), (r" < ", " >= "), (r" > ", " >= "), (r" > ", " <= "),
    (r"<= ", "< "), (r">= ", "> "), (r"&&", "||"), (r"\|\|", "&&"), (r" \+ ", " - "), (r" - ", " + "), (r"\+\+", "--"),
    (r"\btrue\b", "false"), (r"\bfalse\b", "true"), (r"if \((?=[^)])", "if (!"), (r"(?<=[( ])!(?=[a-z(])", ""),
    (r"\bcontinue;", "break;"), (r"\bbreak;", "continue;"), (r"\b0\b", "1"), (r"\b1\b", "0"), (r"\b1\b", "2"),
    (r"\b([2-9]|[1-9][0-9]+)\b", lambda m: str(int(m.group(0)) + 1)), (r"^ +lexer_\.Advance\(\);", ""),
    (r"'([^'\\])'", lambda m: "'" + chr(ord(m.group(1)) ^ 1) + "'"),
]


def mutants_of(path):
    """(line number, new line) for each place where a rule applies."""
    with open(os.path.join(ROOT, path)) as file:
        lines = file.read().split("\n")
    result = []
    for number, line in enumerate(lines):
        code = line.split("//")[0] if '"' not in line.split("//")[0][-1:] else line
        if code.lstrip().startswith("#") or not code.strip():
            continue
        strings = [m.span() for m in re.finditer(r'"(?:[^"\\]|\\.)*"', line)]
        for pattern, replacement in RULES:
            for match in re.finditer(pattern, code):
                if any(begin < match.end() and match.start() < end for begin, end in strings):
                    continue
                changed = match.expand(replacement) if isinstance(replacement, str) else replacement(match)
                result.append((path, number, line[: match.start()] + changed + line[match.end():], lines))
    return result


class Oracle:
    """A program that ends with another exit code than 0 where it notices a mutant."""

    def __init__(self, build, name, target, arguments):
        self.name, self.arguments = name, arguments
        commands = subprocess.run(["ninja", "-C", build, "-t", "commands", target], capture_output=True, text=True, check=True)
        # The last command links; ": && LINK && :" and whatever follows.
        link = [c for c in commands.stdout.splitlines() if f" -o {target}" in c][-1]
        self.link = shlex.split(link.split("&&")[1])
        self.build = build

    def kills(self, mutated_object, directory):
        program = os.path.join(directory, "program")
        command = list(self.link)
        command[command.index("-o") + 1] = program
        first_object = next(i for i, word in enumerate(command) if word.endswith(".o"))
        command.insert(first_object, mutated_object)
        subprocess.run(command, cwd=self.build, check=True, capture_output=True)
        try:
            run = subprocess.run([program, *self.arguments], cwd=ROOT, capture_output=True, timeout=TIMEOUT)
        except subprocess.TimeoutExpired:
            return True
        return run.returncode != 0


def compile_command(build, path):
    commands = subprocess.run(["ninja", "-C", build, "-t", "commands", "core/liblayoutcheck_core.a"], capture_output=True,
                              text=True, check=True)
    return shlex.split(next(c for c in commands.stdout.splitlines() if c.endswith(path)))


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("build")
    arguments.add_argument("--sample", type=int, help="try this many mutants (all)")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--survivors", action="store_true", help="print what nothing killed")
    options = arguments.parse_args()
    build = os.path.abspath(options.build)

    def corpus(name):
        folders = [os.path.join(ROOT, "corpus", part, name) for part in ("fuzz", "regressions")]
        return [folder for folder in folders if os.path.isdir(folder)]

    oracles = [Oracle(build, "tests", "core/core_text_test", ["--gtest_brief=1"])]
    oracles += [Oracle(build, "corpus", f"fuzz/{name}_fuzzer", corpus(name)) for name in ("shape", "layout", "instruction")]
    oracles += [Oracle(build, "fuzzing", "fuzz/fuzz_text_test", ["--gtest_filter=MutatorTest.*:TextPropertiesTest.*"])]

    mutants = [mutant for path in SOURCES for mutant in mutants_of(path)]
    total = len(mutants)
    if options.sample:
        mutants = random.Random(options.seed).sample(mutants, min(options.sample, total))
    killed = {oracle.name: 0 for oracle in oracles}
    compiled = killed_by_any = 0
    survivors = []
    with tempfile.TemporaryDirectory() as directory:
        for path, number, changed, lines in mutants:
            source = os.path.join(directory, os.path.basename(path))
            with open(source, "w") as file:
                file.write("\n".join(lines[:number] + [changed] + lines[number + 1:]))
            mutated_object = os.path.join(directory, "mutated.o")
            command = compile_command(build, path)
            command[command.index("-o") + 1] = mutated_object
            command[-1] = source
            for word in ("-MD", "-Werror"):
                while word in command:
                    command.remove(word)
            for flag in ("-MT", "-MF"):
                at = command.index(flag)
                del command[at:at + 2]
            if subprocess.run(command, cwd=build, capture_output=True).returncode != 0:
                continue
            compiled += 1
            killers = set()
            for oracle in oracles:
                if oracle.name not in killers and oracle.kills(mutated_object, directory):
                    killers.add(oracle.name)
            for name in killers:
                killed[name] += 1
            killed_by_any += bool(killers)
            if not killers:
                survivors.append(f"{path}:{number + 1}: {lines[number].strip()}  ->  {changed.strip()}")
            if sys.stderr.isatty():
                print(f"\r{compiled} mutants, {killed_by_any} killed", end="", file=sys.stderr)
    print(f"{total} mutants, {len(mutants)} tried, {compiled} compile, {killed_by_any} killed")
    for name, count in killed.items():
        print(f"  by {name}: {count} ({100 * count / max(compiled, 1):.0f} %)")
    if options.survivors:
        print("\n".join(survivors))
    return 0


if __name__ == "__main__":
    sys.exit(main())
