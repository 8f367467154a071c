#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures the tests of the parser: changes one operator or constant at a time and tells which tests notice.

  fuzz/mutation_testing/mutation_testing.py BUILD_DIR [--room ROOM] [--fuzz-build DIR] [--sample N] [--minutes N]
                                           [--survivors]

BUILD_DIR is a build of the preset `dev` with -DCMAKE_UNITY_BUILD=OFF. The mutants are of one room:
- core/hlo, the default: the lexer, parser, printer and validator. BUILD_DIR has the targets hlo_test, hlo_random_test,
  conformance_text_test, fuzz_text_test, shape_fuzzer, layout_fuzzer and instruction_fuzzer.
- core/module: the reader of modules and logs. BUILD_DIR has the targets module_test and module_fuzzer.

Four oracles try them:
- tests: the tests of the room try every mutant;
- corpus: the replay of the corpus, and for core/hlo the comparison with its recorded outcomes, try every mutant;
- properties: for core/hlo, the fuzzer's properties on random texts try the first --properties-sample and each survivor;
- fuzzing: with --fuzz-build, a build of the preset `fuzz` without sanitizers, the first --fuzz-sample and each survivor are
  fuzzed from the corpus, for --fuzz-seconds in all.
Prints the share of mutants that each oracle kills, and with --survivors the mutants that nothing kills. Changes neither folder.

LOG (BUILD_DIR/mutants.jsonl) records what was tried, so that a run goes on where the last one ended. After tests were added,
--again tries the mutants once more that an oracle killed, or that survived. Mutants that do the same as the original are listed
with the reason in fuzz/mutation_testing/equivalent_mutants.txt and are not tried.
"""
import argparse
import hashlib
import json
import math
import os
import random
import re
import resource
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

AT_ONCE = "--gtest_break_on_failure"  # the first failure ends the program
# Each room has the sources that are changed, the fuzz targets that read with them, and the programs of the oracles.
ROOMS = {
    "core/hlo": {
        "sources": ["lexer.cc", "parser.cc", "shape_parser.cc", "printer.cc", "validate.cc"],
        "targets": ["shape", "instruction", "layout"],
        "tests": [("core/hlo/hlo_test", [AT_ONCE])],
        # A text that breaks no property may still be read differently than recorded.
        "corpus": [("core/testing/conformance_text_test", [AT_ONCE]),
                   ("fuzz/fuzz_text_test", [AT_ONCE, "--gtest_filter=OutcomesTest.TheCorpus*"])],
        "properties": [("fuzz/fuzz_text_test",
                        [AT_ONCE, "--gtest_filter=MutatorTest.EverySpelling*:TextPropertiesTest.*"])],
        "more texts": [("fuzz/fuzz_text_test", [AT_ONCE, "--gtest_filter=MutatorTest.PropertiesHold*"]),
                       ("core/hlo/hlo_random_test", [AT_ONCE])],
    },
    "core/module": {
        "sources": ["module_reader.cc", "module_header.cc", "log_reader.cc"],
        "targets": ["module"],
        "tests": [("core/module/module_test", [AT_ONCE])],
        "corpus": [],
        "properties": [],
        "more texts": [],
    },
}
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
EQUIVALENT = os.path.join(ROOT, "fuzz", "mutation_testing", "equivalent_mutants.txt")
CORE = "core/liblayoutcheck_core.a"
MEMORY = 1 << 31

# The changes: a pattern and its replacement. They apply outside comments, strings and preprocessor lines.
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
    """Returns one mutant per place where a rule applies, without duplicates."""
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
    """Reads (path, line before, line after) from EQUIVALENT: lines `path: before  ->  after`, then an indented reason."""
    found = set()
    with open(EQUIVALENT) as file:
        for line in file:
            if line.strip() and line[0] not in "# ":
                path, change = line.rstrip("\n").split(": ", 1)
                found.add((path, *change.split("  ->  ")))
    return found


def command_for(build, target, ending):
    """Returns the last command with `ending` that makes `target` in `build`, from the compiler on."""
    ninja = ["ninja", "-C", build, "-t", "commands", target]
    commands = subprocess.run(ninja, capture_output=True, text=True, check=True)
    command = [c for c in commands.stdout.splitlines() if ending in c][-1]
    words = shlex.split(command.split("&&")[1] if "&&" in command else command)
    return words[next(i for i, word in enumerate(words) if "ccache" not in word):]


def with_output(command, output):
    changed = list(command)
    changed[changed.index("-o") + 1] = output
    return changed


class Build:
    """A build whose programs share the sources as a library, so that a mutant is one compilation and one small link."""

    def __init__(self, folder, sources, scratch):
        self.folder = os.path.abspath(folder)
        self.scratch = os.path.join(scratch, os.path.basename(self.folder))
        os.makedirs(self.scratch)
        self.commands, self.objects = {}, {}
        for path in sources:
            command = command_for(self.folder, CORE, f"/{path}")
            for flag in ("-MT", "-MF"):
                at = command.index(flag)
                del command[at:at + 2]
            self.objects[path] = os.path.join(self.folder, command[command.index("-o") + 1])
            # -O1 halves the time of compiling; the meaning of the source is tested all the same.
            self.commands[path] = [{"-O2": "-O1", "-O3": "-O1"}.get(word, word) for word in command
                                   if word not in ("-MD", "-Werror") and not word.startswith("-g")]
            self.precompile(path)
        self.rest = os.path.join(self.scratch, "rest.a")
        shutil.copy(os.path.join(self.folder, CORE), self.rest)
        self.run(["ar", "d", self.rest, *map(os.path.basename, self.objects.values())])
        self.link(self.objects, self.scratch)

    def run(self, command, check=True):
        return subprocess.run(command, cwd=self.folder, check=check, capture_output=True).returncode == 0

    def precompile(self, path):
        """Precompiles the headers of the standard library, which would take half the time of a mutant."""
        header = os.path.join(self.scratch, os.path.basename(path) + ".h")
        with open(os.path.join(ROOT, path)) as source, open(header, "w") as file:
            file.writelines(line for line in source if line.startswith("#include"))
        command = with_output(self.commands[path], header + ".gch")
        command[command.index("-c"):] = ["-x", "c++-header", header, *command[command.index("-c") + 1:-1]]
        self.run([word for word in command if word != "-c"])
        self.commands[path][1:1] = ["-include", header]

    def link(self, objects, directory):
        command = [next(iter(self.commands.values()))[0], "-shared", "-Wl,-soname,libtext.so", *objects.values()]
        self.run([*command, "-o", os.path.join(directory, "libtext.so")])

    def program(self, target):
        """Links the program to the library of the sources and returns its path."""
        program = os.path.join(self.scratch, os.path.basename(target))
        command = with_output(command_for(self.folder, target, f" -o {target}"), program)
        at = command.index(CORE)
        # The core also stands first, for its copies of templates (layoutcheck_link_core_first).
        command = [word for word in command if word != CORE and not word.endswith("/" + CORE)]
        command[at:at] = ["-Wl,--whole-archive", self.rest, "-Wl,--no-whole-archive", "-rdynamic",
                          os.path.join(self.scratch, "libtext.so")]
        self.run(command)
        return program

    def make(self, mutant, directory):
        """Builds the library with the mutant. Returns False if it does not compile."""
        source = os.path.join(directory, os.path.basename(mutant.path))
        with open(source, "w") as file:
            file.write(mutant.text())
        mutated = source + ".o"
        command = with_output(self.commands[mutant.path], mutated)
        command[-1] = source
        if not self.run(command, check=False):
            return False
        self.link({**self.objects, mutant.path: mutated}, directory)
        return True


class Oracle:
    """Programs that may notice a mutant: one that notices it fails. `runs`: (target, arguments)."""

    def __init__(self, name, build, runs):
        self.name, self.build = name, build
        self.runs = [([build.program(target), *arguments], 60) for target, arguments in runs]
        measured = []
        for command, limit in self.runs:
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            if self.fails(command, limit, build.scratch):
                sys.exit(f"{' '.join(command)}: fails without a mutant\n{self.output}")
            if not self.fails(command, limit, "."):
                sys.exit(f"{' '.join(command)}: does not run with the library of a mutant")
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            measured.append((command, 1 + math.ceil(2 * used)))
        self.runs = measured

    def fails(self, command, seconds, library):
        def limit():
            """Bounds time and memory, so that a mutant without end fails."""
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

        with tempfile.TemporaryDirectory() as scratch, tempfile.TemporaryFile() as output:
            try:
                run = subprocess.run(command, cwd=scratch, stdout=output, stderr=output,
                                     env={**os.environ, "LD_LIBRARY_PATH": library}, timeout=10 * seconds,
                                     preexec_fn=limit)
            except subprocess.TimeoutExpired:
                self.output = "does not end"
                return True
            output.seek(max(0, output.seek(0, os.SEEK_END) - 4096))
            self.output = output.read().decode(errors="replace")
        return run.returncode != 0

    def kills(self, library):
        return any(self.fails(command, seconds, library) for command, seconds in self.runs)


def corpus(name):
    folders = [os.path.join(ROOT, "corpus", part, name) for part in ("fuzz", "regressions")]
    return [folder for folder in folders if os.path.isdir(folder)]


def try_mutant(mutant, oracles):
    """Returns {"compiles": ..., "killed": {oracle: ...}}."""
    with tempfile.TemporaryDirectory() as directory:
        if not oracles[0].build.make(mutant, directory):
            return {"compiles": False, "killed": {}}
        return {"compiles": True, "killed": {oracle.name: oracle.kills(directory) for oracle in oracles}}


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("build")
    arguments.add_argument("--room", choices=ROOMS, default="core/hlo", help="the room whose sources are changed (core/hlo)")
    arguments.add_argument("--fuzz-build", help="a build with libFuzzer")
    arguments.add_argument("--fuzz-seconds", type=int, default=60, help="how long each mutant is fuzzed (60)")
    arguments.add_argument("--fuzz-sample", type=int, default=60, help="fuzz so many, besides what nothing kills (60)")
    arguments.add_argument("--properties-sample", type=int, default=300,
                           help="hold the properties to so many, besides what nothing kills (300)")
    arguments.add_argument("--sample", type=int, help="try this many mutants, drawn at random (all)")
    arguments.add_argument("--minutes", type=float, help="begin no mutant after so long")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--again", choices=["survivors", "tests", "corpus", "properties", "fuzzing"],
                           help="try those once more that nothing, or this oracle, killed")
    arguments.add_argument("--log", help="what was tried (BUILD_DIR/mutants.jsonl)")
    arguments.add_argument("--survivors", action="store_true", help="print what nothing killed")
    options = arguments.parse_args()

    room = ROOMS[options.room]
    sources = [f"{options.room}/{name}" for name in room["sources"]]
    mutants = [mutant for path in sources for mutant in mutants_of(path)]
    total = len(mutants)
    random.Random(options.seed).shuffle(mutants)
    mutants = mutants[: options.sample]
    equivalent = equivalent_mutants()
    same = [m for m in mutants if (m.path, m.before, m.after) in equivalent]
    mutants = [m for m in mutants if (m.path, m.before, m.after) not in equivalent]

    log = options.log or os.path.join(options.build, "mutants.jsonl")
    results = {}
    if os.path.exists(log):
        with open(log) as file:
            for record in map(json.loads, file):
                known = results.get(record["key"], {"killed": {}})
                results[record["key"]] = {**record, "killed": {**known["killed"], **record["killed"]}}

    def survives(mutant):
        record = results.get(mutant.key)
        return record is not None and record["compiles"] and not any(record["killed"].values())

    def to_try(mutant, oracle):
        record = results.get(mutant.key)
        if record is None:
            return True
        killed = record["killed"].get(oracle.name)
        if options.again and killed is False:
            return survives(mutant) if options.again == "survivors" else options.again == oracle.name
        return record["compiles"] and killed is None

    start = time.monotonic()

    def try_all(tried, oracles):
        with open(log, "a") as file:
            for done, mutant in enumerate(tried):
                left = [oracle for oracle in oracles if to_try(mutant, oracle)]
                if not left:
                    continue
                if options.minutes and time.monotonic() - start > 60 * options.minutes:
                    break
                record = {"key": mutant.key, "mutant": str(mutant), **try_mutant(mutant, left)}
                file.write(json.dumps(record) + "\n")
                file.flush()
                known = results.get(mutant.key, {"killed": {}})
                results[mutant.key] = {**record, "killed": {**known["killed"], **record["killed"]}}
                if sys.stderr.isatty():
                    print(f"\r{done + 1} of {len(tried)}", end="", file=sys.stderr)

    sample, rest = mutants[: options.properties_sample], mutants[options.properties_sample:]
    with tempfile.TemporaryDirectory() as scratch:
        build = Build(options.build, sources, scratch)
        replays = [(f"fuzz/{name}_fuzzer", corpus(name)) for name in room["targets"]]
        try_all(mutants, [Oracle("tests", build, room["tests"]), Oracle("corpus", build, replays + room["corpus"])])
        if room["properties"]:
            try_all(sample + [m for m in rest if survives(m)], [Oracle("properties", build, room["properties"])])
        survivors = [m for m in mutants if survives(m)]
        if survivors and room["more texts"]:
            try_all(survivors, [Oracle("more texts", build, room["more texts"])])
        if options.fuzz_build:
            # libFuzzer writes what it finds into the first folder.
            each = [f"-max_total_time={options.fuzz_seconds // len(room['targets'])}", "-timeout=10", "-seed=1", "."]
            fuzzing = Oracle("fuzzing", Build(options.fuzz_build, sources, scratch),
                             [(target, each + folders) for target, folders in replays])
            try_all(mutants[: options.fuzz_sample] + [m for m in mutants if survives(m)], [fuzzing])

    tried = [results[m.key] for m in mutants if m.key in results]
    compiled = [r for r in tried if r["compiles"]]
    killed = [r for r in compiled if any(r["killed"].values())]
    print(f"{total} mutants, {len(tried)} tried, {len(compiled)} compile, {len(killed)} killed, "
          f"{len(same)} more do what the original does")
    for name, first in (("tests", total), ("corpus", total), ("properties", options.properties_sample),
                        ("fuzzing", options.fuzz_sample)):
        asked = [results[m.key]["killed"] for m in mutants[:first] if m.key in results]
        asked = [killed[name] for killed in asked if name in killed]
        if asked:
            print(f"  by {name}: {sum(asked)} of {len(asked)} ({100 * sum(asked) / len(asked):.0f} %)")
    if options.survivors:
        print("\n".join(sorted(r["mutant"] for r in compiled if not any(r["killed"].values()))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
