# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds the functions of a C or C++ file by their braces, for size.py.

Reads formatted code (clang-format): the brace of a function's body has a space or the beginning of a line before it, the brace
of an initializer such as `rank_{1}` has not. Looks at braces that stand in namespaces and classes only; a lambda or a class
inside of a function counts as part of that function.
"""
import collections
import re

# `line` and `lines` count from the first line of the declaration to the line of the closing brace.
Function = collections.namedtuple("Function", "name line lines")


class Unbalanced(Exception):
    """Thrown where a brace has no partner. The attribute `line` says where."""

    def __init__(self, line, message):
        super().__init__(message)
        self.line = line


_TOKEN = re.compile(r"""
  (?P<directive>^[ \t]*\#(?:[^\n\\]|\\.)*)
| (?P<comment>//(?:[^\n\\]|\\.)*|/\*.*?\*/)
| (?P<text>(?:u8|[uUL])?R"(?P<end>[^()\\\s]{0,16})\(.*?\)(?P=end)"|"(?:[^"\\\n]|\\.)*")
| (?P<character>'(?:[^'\\\n]|\\.)+')
| (?P<word>\.?[0-9](?:'?[\w.]|(?<=[eEpP])[+-])*|[A-Za-z_]\w*)
""", re.VERBOSE | re.DOTALL | re.MULTILINE)
_WORDS_BEFORE_PARENTHESES = {"decltype", "requires", "alignas", "noexcept", "explicit", "sizeof", "__attribute__"}
_NAME = re.compile(r"((?:\w+(?:<[^()<>]*>)?::)*(?:operator\s*(?:\(\)|\[\]|[^\s\w(]+|[\w:][\w: *&]*)|~?\w+))\s*\(")
_LAMBDA = re.compile(r"(\w+)\s*=\s*\[[^\]]*\]\s*(?:\(.*\))?[^;=()]*$", re.DOTALL)


def _blanked(text):
    """Returns the text with blanks for comments, literals and directives, and the place and the word of each directive."""
    directives = []

    def blank(match):
        if match.lastgroup == "word":
            return match.group()
        if match.lastgroup == "directive":
            directives.append((match.start(), match.group().strip("# \t").split(maxsplit=1)[:1]))
        spaces = re.sub(r"[^\n]", " ", match.group())
        return '"' + spaces[1:-1] + '"' if match.lastgroup in ("text", "end") else spaces

    return _TOKEN.sub(blank, text), directives


def _without_template(head):
    """Returns a declaration without `template <...>`, access specifiers and attributes in front of it."""
    head = re.sub(r"^\s*(?:(?:public|private|protected)\s*:\s*)+", "", head).lstrip()
    while head.startswith("template"):
        depth = 0
        for at, character in enumerate(head):
            depth += {"<": 1, ">": -1}.get(character, 0)
            if character == ">" and depth == 0:
                break
        head = head[at + 1:].lstrip()
    return re.sub(r"^(?:\[\[[^\]]*\]\]\s*)+", "", head)


def _kind_and_name(head):
    """Returns what a brace after `head` opens: "scope", "function" or "other", and the function's name."""
    declaration = _without_template(head)
    if head.count("(") > head.count(")") or (head and not head[-1].isspace()):
        return "other", ""
    if re.match(r'(?:inline\s+)?namespace\b|extern\s*"', declaration) and "(" not in declaration:
        return "scope", ""
    if (re.match(r"(?:typedef\s+)?(?:class|struct|union|enum)\b", declaration)
            and not re.match(r"(?:class|struct|union|enum)\s+[\w:]+[\s*&]+[\w:]+\s*\(", declaration)):
        return "scope", ""
    lambda_name = _LAMBDA.search(declaration)
    if lambda_name:
        return "function", lambda_name.group(1)
    before = re.sub(r"operator\s*[^\s\w(]+", "operator", declaration).split("(")[0]
    if "(" not in declaration or "=" in before:
        return "other", ""
    for match in _NAME.finditer(declaration):
        if match.group(1) not in _WORDS_BEFORE_PARENTHESES:
            name = re.sub(r"\s+", " ", match.group(1))
            return "function", name + declaration[match.end() - 1:].strip() if name.startswith("TEST") else name
    return "other", ""


def functions(text):
    """Returns the functions of a file that have a body, in their order. Throws Unbalanced."""
    code, directives = _blanked(text)
    marks = sorted([(match.start(), match.group()) for match in re.finditer(r"[{};]", code)] +
                   [(at, word[0]) for at, word in directives if word])
    found, blocks, conditions = [], [], []
    head = 0  # where the declaration before the next brace begins
    for at, mark in marks:
        line = text.count("\n", 0, at) + 1
        if mark in ("if", "ifdef", "ifndef"):
            conditions.append((list(blocks), None if code[head:at].isspace() else head))
        elif mark in ("else", "elif", "elifdef", "elifndef"):  # another reading of what the first branch said
            blocks, head = list(conditions[-1][0]), at if conditions[-1][1] is None else conditions[-1][1]
        elif mark == "endif":
            conditions.pop()
        elif mark == "{":
            inside = any(kind != "scope" for kind, _, _ in blocks)
            kind, name = ("other", "") if inside else _kind_and_name(code[head:at])
            begin = head + len(code[head:at]) - len(code[head:at].lstrip())
            access = re.match(r"(?:(?:public|private|protected)\s*:\s*)+", code[begin:at])
            begin += access.end() if access else 0
            blocks.append((kind, name, text.count("\n", 0, begin) + 1))
            head = at + 1 if kind == "scope" else head
        elif mark == "}":
            if not blocks:
                raise Unbalanced(line, "a closing brace without an opening one")
            kind, name, begin = blocks.pop()
            if kind == "function":
                found.append(Function(name, begin, line - begin + 1))
            head = head if kind == "other" else at + 1
        elif mark == ";" and all(kind == "scope" for kind, _, _ in blocks):
            head = at + 1
    if blocks:
        raise Unbalanced(blocks[-1][2], "an opening brace without a closing one")
    return found
