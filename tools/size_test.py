#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests size.py: the functions that it finds, its sums, and the comparison with an older version."""
import contextlib
import io
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest
import unittest.mock

import size
from cpp_functions import Unbalanced, functions

# A file with what makes braces hard to read; the comments name the functions that it has, with the number of their lines.
HARD = r'''// A comment with a brace {
#include <vector>
#define OPEN {  \
  {
namespace a {
constexpr char kOpen = '{';  // and 1'000'000 is a number
const char* const kText = R"x(} ")" {)x";
const std::vector<int> kNumbers = {1, 2, 3};
struct Point : Base<Point> {
  int x = int{3};
  explicit Point(int value) : x(value), y_{value} {}
  bool operator==(const Point& other) const {
    return x == other.x;
  }

 private:
  int y_{0};
};
enum class Color { kRed, kGreen };
template <class T, class U = std::vector<T>>
  requires(sizeof(T) > 1)
U Twice(T value, std::vector<int> more = {}) {
  const auto lambda = [&](int x) {
    struct Local {
      int Member() { return 1; }
    };
    return x;
  };
  return lambda(value);
}
#ifdef FAST
int Count(int n) {
  if (n > 0) {
#else
int Count(int n) {
  if (n > 1) {
#endif
    return "}"[0];
  }
  return 0;
}
const auto kSquare = [](int x) {
  return x * x;
};
template <class Int>
Value<Int>
Evaluator<Int>::Apply(
    int x)
    const {
  return {};
}
}  // namespace a
extern "C" {
void c_function(void) {}
}
TEST(Point, IsEqualToItself) {
  EXPECT_EQ(1, 1);
}
'''
FOUND = [("Point", 1), ("operator==", 3), ("Twice", 11), ("Count", 7), ("kSquare", 3), ("Evaluator<Int>::Apply", 7),
         ("c_function", 1), ("TEST(Point, IsEqualToItself)", 3)]


class Functions(unittest.TestCase):
    def test_are_found_by_their_braces(self):
        found = functions(HARD)
        self.assertEqual([(function.name, function.lines) for function in found], FOUND)
        for function in found:
            line = HARD.split("\n")[function.line - 1]
            self.assertFalse(line == "" or line.startswith("}"), (function, line))

    def test_a_brace_without_a_partner_is_named_with_its_line(self):
        for text, line in [("int F() {\n  return 1;\n", 1), ("int F() {\n}\n}\n", 3)]:
            with self.assertRaises(Unbalanced) as caught:
                functions(text)
            self.assertEqual(caught.exception.line, line)

    def test_every_source_file_can_be_read(self):
        count = sum(len(functions(text)) for text in size.sources_now(size.ROOT).values())
        self.assertGreater(count, 5000)


class Size(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name).resolve()
        # The folder is in no checkout, whatever lies above it.
        outside = unittest.mock.patch.dict(os.environ, GIT_CEILING_DIRECTORIES=str(self.root.parent))
        outside.start()
        self.addCleanup(outside.stop)

    def write(self, path, text):
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text, encoding="utf-8")

    def git(self, *arguments):
        identity = ["-c", "user.name=Test", "-c", "user.email=test@example.com", "-c", "init.defaultBranch=main"]
        subprocess.run(["git", *identity, *arguments], cwd=self.root, check=True, capture_output=True)

    def output(self, *arguments):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            self.assertEqual(size.main(list(arguments), self.root), 0)
        return out.getvalue()

    @unittest.skipUnless(shutil.which("git"), "git is not installed")
    def test_counts_rooms_and_what_grew_since_a_tag(self):
        long_function = "int F() {\n" + "  g();\n" * 70 + "}\n"
        self.write("core/base/a.cc", "1\n2\n3\n")
        self.write("core/base/a_test.cc", "1\n2\n")
        self.write("core/testing/support.h", "1\n")
        self.write("verify/top.cc", "1\n")
        self.git("init")
        self.git("add", ".")
        self.git("commit", "-m", "first")
        self.assertIn("there are no tags", self.output())
        self.git("tag", "v1")
        self.write("core/base/a.cc", long_function)
        self.write("core/hlo/new.h", "// x\n" * 360)
        self.write("core/hlo/notes.txt", "not C++\n")
        rows = [line.split() for line in self.output().splitlines()]
        self.assertIn(["core/base", "1", "72", "2", "+69"], rows)
        self.assertIn(["core/hlo", "1", "360", "0", "+360"], rows)
        self.assertIn(["core/testing", "0", "0", "1", "+0"], rows)
        self.assertIn(["total", "of", "8", "layers", "2", "432", "3", "+429"], rows)
        self.assertIn(["total", "of", "the", "others", "1", "1", "0", "+0"], rows)
        self.assertIn(["72", "core/base/a.cc:1", "F"], rows)
        self.assertIn(["360", "core/hlo/new.h"], rows)
        self.assertIn(["+360", "core/hlo/new.h", "(new)"], rows)
        self.assertIn(["+69", "core/base/a.cc"], rows)
        self.git("add", ".")
        self.git("commit", "-m", "second")
        self.assertIn("since HEAD: +0 lines", self.output("HEAD"))

    @unittest.skipUnless(shutil.which("git"), "git is not installed")
    def test_an_unknown_commit_is_an_error(self):
        self.git("init")
        with self.assertRaisesRegex(SystemExit, "no commit 'nonsense'"):
            size.main(["nonsense"], self.root)

    def test_works_without_git(self):
        self.write("cli/main.cc", "int main() {}\n")
        found = self.output()
        self.assertIn("this is no checkout of git", found)
        self.assertIn(["cli", "1", "1", "0"], [line.split() for line in found.splitlines()])


if __name__ == "__main__":
    unittest.main()
