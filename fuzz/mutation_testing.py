#!/usr/bin/env python3
"""How strong the tests of the parser are: changes one operator or constant at a time and sees who notices.

  fuzz/mutation_testing.py BUILD_DIR [--fuzz-build DIR] [--sample N] [--minutes N] [--survivors]

BUILD_DIR is a build of the preset `dev` with the targets core_text_test, fuzz_text_test, shape_fuzzer, layout_fuzzer
and instruction_fuzzer. Each mutant of the lexer, parser, printer and validator is compiled and linked into the tests of
core's text, into the programs that replay the corpus, and into the tests of the fuzzer's properties; with --fuzz-build,
a build of the preset `fuzz` without sanitizers, also into shape_fuzzer, which then runs for --fuzz-seconds from the
corpus. Printed: the share of mutants killed by each, and with --survivors those that nothing kills. Builds nothing in
either folder.

What was tried is in BUILD_DIR/mutants.jsonl, so that a run goes on where the last one ended; --again survivors tries
those that nothing killed once more, after tests were added. Mutants that do what the original does are listed, each
with the reason, in fuzz/equivalent_mutants.txt, and are not tried.
"""
import argparse
import hashlib
import json
import os
import random
import re
import resource
import shlex
import subprocess
import sys
import tempfile
import time

SOURCES = ["core/lexer.cc", "core/parser.cc", "core/shape_parser.cc", "core/printer.cc", "core/validate.cc"]
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
EQUIVALENT = os.path.join(ROOT, "fuzz", "equivalent_mutants.txt")
TIMEOUT = 20
MEMORY = 1 << 31

# What is changed, and into what. Applied outside comments, strings and preprocessor lines.
RULES = [
    (r"==", "!="), (r"!=", "=="), (r" < ", " <= "), (r" < ", " >= "), (r" > ", " >= "), (r" > ", " <= "),
    (r"<= ", "< "), (r">= ", "> "), (r"&&", "||"), (r"\|\|", "&&"), (r" \+ ", " - "), (r" - ", " + "), (r"\+\+", "--"),
    (r"\btrue\b", "false"), (r"\bfalse\b", "true"), (r"if \((?=[^)])", "if (!"), (r"(?<=[( ])!(?=[a-z(])", ""),
    (r"\bcontinue;", "break;"), (r"\bbreak;", "continue;"), (r"\b0\b", "1"), (r"\b1\b", "0"), (r"\b1\b", "2"),
    (r"\b([2-9]|[1-9][0-9]+)\b", lambda m: str(int(m.group(0)) + 1)), (r"^ +lexer_\.Advance\(\);", ""),
    (r"'([^'\\])'", lambda m: "'" + chr(ord(m.group(1)) ^ 1) + "'"),
]


class Mutant:
    """A line of a source file changed at one place."""

    def __init__(self, path, number, changed, lines):
        self.path, self.number, self.changed, self.lines = path, number, changed, lines
        self.before, self.after = lines[number].strip(), changed.strip()
        text = "\n".join([path, str(number), changed, *lines])
        self.key = hashlib.sha1(text.encode()).hexdigest()[:16]

    def text(self):
        return "\n".join(self.lines[: self.number] + [self.changed] + self.lines[self.number + 1:])

    def __str__(self):
        return f"{self.path}:{self.number + 1}: {self.before}  ->  {self.after}"


def mutants_of(path):
    """A mutant for each place where a rule applies, each change once."""
    with open(os.path.join(ROOT, path)) as file:
        lines = file.read().split("\n")
    result = {}
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
                mutant = Mutant(path, number, line[: match.start()] + changed + line[match.end():], lines)
                result[mutant.key] = mutant
    return list(result.values())


def equivalent_mutants():
    """The (path, line before, line after) of EQUIVALENT: lines `path: before  ->  after`, then an indented reason."""
    found = set()
    with open(EQUIVALENT) as file:
        for line in file:
            if line.strip() and line[0] not in "# ":
                path, change = line.rstrip("\n").split(": ", 1)
                found.add((path, *change.split("  ->  ")))
    return found


def command_for(build, target, ending):
    """The command that makes `target` in `build`, the last one with `ending`, from the compiler on."""
    ninja = ["ninja", "-C", build, "-t", "commands", target]
    commands = subprocess.run(ninja, capture_output=True, text=True, check=True)
    command = [c for c in commands.stdout.splitlines() if ending in c][-1]
    words = shlex.split(command.split("&&")[1] if "&&" in command else command)
    return words[next(i for i, word in enumerate(words) if "ccache" not in word):]


class Build:
    """How a build folder compiles the sources."""

    def __init__(self, folder):
        self.folder, self.commands = os.path.abspath(folder), {}
        for path in SOURCES:
            command = command_for(self.folder, "core/liblayoutcheck_core.a", f"/{path}")
            for flag in ("-MT", "-MF"):
                at = command.index(flag)
                del command[at:at + 2]
            # Half the time to compile, and what is tested is what the source says.
            self.commands[path] = [{"-O2": "-O1", "-O3": "-O1"}.get(word, word) for word in command
                                   if word not in ("-MD", "-Werror") and not word.startswith("-g")]

    def compile(self, mutant, directory):
        """The object file; nothing where the mutant does not compile."""
        source = os.path.join(directory, os.path.basename(mutant.path))
        with open(source, "w") as file:
            file.write(mutant.text())
        command = list(self.commands[mutant.path])
        made = command[command.index("-o") + 1] = os.path.join(directory, os.path.basename(self.folder) + ".o")
        command[-1] = source
        return made if subprocess.run(command, cwd=self.folder, capture_output=True).returncode == 0 else None


def limit_memory():
    """A mutant that takes memory without end is to fail, and the machine is to go on."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


class Oracle:
    """A program that ends with another exit code than 0 where it notices a mutant."""

    def __init__(self, build, name, target, arguments, timeout=TIMEOUT):
        self.build, self.name, self.arguments, self.timeout = build, name, arguments, timeout
        self.link = command_for(build.folder, target, f" -o {target}")

    def kills(self, mutated_object, directory):
        program = os.path.join(directory, "program")
        command = list(self.link)
        command[command.index("-o") + 1] = program
        first_object = next(i for i, word in enumerate(command) if word.endswith(".o"))
        command.insert(first_object, mutated_object)
        subprocess.run(command, cwd=self.build.folder, check=True, capture_output=True)
        with tempfile.TemporaryDirectory() as scratch:
            try:
                run = subprocess.run([program, *self.arguments], cwd=scratch, stdout=subprocess.DEVNULL,
                                     stderr=subprocess.DEVNULL, timeout=self.timeout, preexec_fn=limit_memory)
            except subprocess.TimeoutExpired:
                return True
        return run.returncode != 0


def corpus(name):
    folders = [os.path.join(ROOT, "corpus", part, name) for part in ("fuzz", "regressions")]
    return [folder for folder in folders if os.path.isdir(folder)]


def try_mutant(mutant, oracles):
    """{"compiles": ..., "killers": [...]}"""
    with tempfile.TemporaryDirectory() as directory:
        objects, killers = {}, []
        for oracle in oracles:
            if oracle.build not in objects:
                objects[oracle.build] = oracle.build.compile(mutant, directory)
            if objects[oracle.build] is None:
                return {"compiles": False, "killers": []}
            if oracle.name not in killers and oracle.kills(objects[oracle.build], directory):
                killers.append(oracle.name)
        return {"compiles": True, "killers": killers}


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("build")
    arguments.add_argument("--fuzz-build", help="a build with libFuzzer")
    arguments.add_argument("--fuzz-seconds", type=int, default=60, help="how long each mutant is fuzzed (60)")
    arguments.add_argument("--sample", type=int, help="try this many mutants, drawn at random (all)")
    arguments.add_argument("--minutes", type=float, help="begin no mutant after so long")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--again", choices=["survivors"], help="try those that nothing killed once more")
    arguments.add_argument("--survivors", action="store_true", help="print what nothing killed")
    options = arguments.parse_args()

    build = Build(options.build)
    oracles = [Oracle(build, "tests", "core/core_text_test", ["--gtest_brief=1"])]
    for name in ("shape", "layout", "instruction"):
        oracles.append(Oracle(build, "corpus", f"fuzz/{name}_fuzzer", corpus(name)))
    properties = ["--gtest_filter=MutatorTest.EverySpelling*:TextPropertiesTest.*"]
    oracles.append(Oracle(build, "properties", "fuzz/fuzz_text_test", properties))
    if options.fuzz_build:
        # What it finds goes into the folder that comes first.
        fuzz = [f"-max_total_time={options.fuzz_seconds}", "-timeout=10", "-seed=1", ".", *corpus("shape")]
        timeout = options.fuzz_seconds + TIMEOUT
        oracles.append(Oracle(Build(options.fuzz_build), "fuzzing", "fuzz/shape_fuzzer", fuzz, timeout))

    mutants = [mutant for path in SOURCES for mutant in mutants_of(path)]
    total = len(mutants)
    random.Random(options.seed).shuffle(mutants)
    mutants = mutants[: options.sample]
    equivalent = equivalent_mutants()
    same = [m for m in mutants if (m.path, m.before, m.after) in equivalent]
    mutants = [m for m in mutants if (m.path, m.before, m.after) not in equivalent]

    log = os.path.join(build.folder, "mutants.jsonl")
    results = {}
    if os.path.exists(log):
        with open(log) as file:
            results = {record["key"]: record for record in map(json.loads, file)}
    start = time.monotonic()
    with open(log, "a") as file:
        for done, mutant in enumerate(mutants):
            known = results.get(mutant.key)
            if known and not (options.again and known["compiles"] and not known["killers"]):
                continue
            if options.minutes and time.monotonic() - start > 60 * options.minutes:
                break
            results[mutant.key] = {"key": mutant.key, "mutant": str(mutant), **try_mutant(mutant, oracles)}
            file.write(json.dumps(results[mutant.key]) + "\n")
            file.flush()
            if sys.stderr.isatty():
                print(f"\r{done + 1} of {len(mutants)}", end="", file=sys.stderr)

    tried = [results[m.key] for m in mutants if m.key in results]
    compiled = [r for r in tried if r["compiles"]]
    killed = [r for r in compiled if r["killers"]]
    print(f"{total} mutants, {len(tried)} tried, {len(compiled)} compile, {len(killed)} killed, "
          f"{len(same)} more do what the original does")
    for name in dict.fromkeys(oracle.name for oracle in oracles):
        count = sum(name in r["killers"] for r in compiled)
        print(f"  by {name}: {count} ({100 * count / max(len(compiled), 1):.0f} %)")
    if options.survivors:
        print("\n".join(sorted(r["mutant"] for r in compiled if not r["killers"])))
    return 0


if __name__ == "__main__":
    sys.exit(main())
