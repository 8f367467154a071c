#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a certificate of layoutcheck as a Coq file, which states the claim as a theorem and proves it.

    tools/certificate_to_coq.py FILE.cert >claim.v
    coqc -Q proofs Layoutcheck claim.v           after ./run proofs, which compiles the definitions

The theorem of a claim about a formula is proved by the steps of the certificate, line by line (proofs/Steps.v). A law of tiled
layouts is an instance of a theorem in proofs/Main.v. Coq checks the proof; only the statement of the theorem is to be read.
Exits with 1 if the claim has operators that proofs/Formula.v does not define.
"""
import re
import sys

BINARY = {"+": "Add", "-": "Subtract", "*": "Multiply", "/": "Quotient", "%": "Remainder", "floordiv": "FloorDiv",
          "ceildiv": "CeilDiv", "mod": "Mod", "min": "Min", "max": "Max", "<<": "ShiftLeft", ">>": "ShiftRight",
          "<": "Less", "<=": "LessEqual", ">": "Greater", ">=": "GreaterEqual", "==": "Equal", "!=": "NotEqual",
          "&&": "And", "||": "Or"}
UNARY = {"unary -": "Negate", "unary !": "Not"}
CONCLUSIONS = {"K1": 3, "K8": 2, "K9": 3, "K10": 2}  # one, for lemmas that are not named here
RESERVED = set("as at cofix do else end exists forall fun if in let match return then using where with Prop Set Type Z nat "
               "index other place value array layout sizes V Value Negate Not If Let Some None linear_index eval settle goal I".split()) | set(BINARY.values())


TOKEN = re.compile(r"\s*(0[xX][0-9a-fA-F]+|[0-9]+|[A-Za-z_][A-Za-z0-9_]*|<<|>>|[<>=!]=|&&|\|\||[][()?:,=<>!~|^&+*/%-])")
LEVELS = ["||", "&&", "|", "^", "&", "== !=", "< <= > >=", "<< >>", "+ -", "* / % floordiv ceildiv mod"]  # loosest first
LEVEL = {operator: level for level, operators in enumerate(LEVELS, 1) for operator in operators.split()}


class Unsupported(Exception):
    """The certificate cannot be written as a Coq file."""


class Parser:
    """Parses formulas to tuples: ("number", 5), ("name", "N"), ("+", left, right), ("let", "x", value, body)."""
    def __init__(self, text):
        self.tokens = [*TOKEN.findall(text), ""]

    def take(self, *tokens):
        return self.tokens.pop(0) if self.tokens[0] in tokens else None

    def expect(self, token):
        if self.take(token) is None:
            raise Unsupported(f"'{self.tokens[0]}', expected '{token}'")

    def list(self, end):
        parts = [self.expression()]
        while self.take(","):
            parts.append(self.expression())
        self.expect(end)
        return parts

    def expression(self, level=0):
        """Parses operators of this level and tighter ones."""
        left = self.operand()
        while LEVEL.get(self.tokens[0], -1) >= max(level, 1):
            operator = self.tokens.pop(0)
            left = (operator, left, self.expression(LEVEL[operator] + 1))
        return ("?", left, *self.list(":"), self.expression()) if level == 0 and self.take("?") else left

    def operand(self):
        token = self.tokens.pop(0)
        if token in ("+", "-", "!", "~"):
            return ("unary " + token, self.operand())
        if token == "(":
            return self.list(")")[0]
        if token == "let":
            name = self.tokens.pop(0)
            self.expect("=")
            return ("let", name, *self.list("in"), self.expression())
        if token == "[" or not token or not token[0].isalnum() and token[0] != "_":
            raise Unsupported("tables are not defined in proofs/Formula.v" if token == "[" else f"no operand: '{token}'")
        if self.take("("):
            return (token, *self.list(")"))
        return ("number", int(token, 0)) if token[0].isdigit() else ("name", token)


def parse_all(text):
    """Parses formulas with commas between them."""
    return Parser(text).list("")


def identifier(name):
    """Returns a name of the certificate as Coq's identifier: atoms are a1, a2; a user's names stay if they can."""
    text = re.sub("!([0-9]+)$", r"atom_\1", name).replace("!", "'")
    if re.match("(fact|atom|K|R|C|P|E|H)[0-9_]*$", text) and not name.startswith("!") or text in RESERVED:
        text += "_"
    return text


def expression(node, names):
    """Returns a parsed formula as a term of type expr."""
    kind, *operands = node
    if kind == "number":
        return f"Value {operands[0]}"
    if kind == "name":
        return f"Value {names.get(operands[0], identifier(operands[0]))}"
    if kind == "?":
        return f"If ({') ('.join(expression(operand, names) for operand in operands)})"
    if kind == "let":
        return f"Let ({expression(operands[1], names)}) (fun {identifier(operands[0])} => {expression(operands[2], names)})"
    if kind == "unary +":
        return expression(operands[0], names)
    if kind in UNARY:
        return f"{UNARY[kind]} ({expression(operands[0], names)})"
    if kind in BINARY:
        return f"{BINARY[kind]} ({expression(operands[0], names)}) ({expression(operands[1], names)})"
    raise Unsupported(f"the operator {kind.replace('unary ', '')} is not defined in proofs/Formula.v")


def polynomial(text):
    return re.sub("[A-Za-z_!][A-Za-z0-9_!]*", lambda name: identifier(name[0]), text)


def coq_list(items):
    return f"[{'; '.join(map(str, items))}]"


class Layout:
    """A layout of the claim as Coq terms."""
    def __init__(self, text):
        found = re.fullmatch(r"\w+\[([^]]*)\](?:\{([\d,]*)(?::(.*))?\})?", text.replace(" ", "").replace("<=", ""))
        tiles = re.search(r"T((?:\([^)]*\))+)", found[3] or "")
        tail = re.search(r"L\((\d+)\)", found[3] or "")
        self.sizes = [size for size in found[1].split(",") if size]
        order = [d for d in found[2].split(",") if d] if found[2] is not None else [*range(len(self.sizes))][::-1]
        entries = [entry.split(",") for entry in re.findall(r"\(([^)]*)\)", tiles[1])] if tiles else []
        self.tile_names = {entry for tile in entries for entry in tile if entry != "*" and not entry.isdigit()}
        self.names = [*dict.fromkeys(size for size in self.sizes + sum(entries, [])
                                     if size != "*" and not size.isdigit())]
        written = coq_list(coq_list("None" if e == "*" else f"Some {identifier(e)}" for e in tile) for tile in entries)
        self.term = (f"{{| minor_to_major := {coq_list(f'{d}%nat' for d in order)}; tiles := {written}; "
                     f"alignment := {tail[1] if tail else 1} |}}")
        self.sizes_term = coq_list(map(identifier, self.sizes))


def domain(claim, layout, texts):
    """Returns the hypotheses of a claim about a formula, as the checkers read it, and what d0, d1, ... stand for."""
    if layout:
        least, sizes = dict.fromkeys(layout.names, 1), dict(enumerate(layout.sizes))
    else:
        bounds, least, sizes = {}, {}, {}
        for text in claim["over"]:
            for kind, *operands in parse_all(text):
                bounds[int(operands[0][1][1:])] = operands[1]
        indices = sorted({int(name[1:]) for name in texts if re.fullmatch(r"i\d+", name)})
        for name in texts:
            k = int(name[1:]) if re.fullmatch(r"d\d+", name) else None
            if not re.fullmatch(r"i\d+", name) and k not in bounds:
                least[name] = int(("name", name) in bounds.values() or k in indices)
        for k in indices:
            kind, size, *_ = bounds.get(k, ("name", f"d{k}"))
            sizes[k] = str(size) if kind == "number" or kind == "name" and size in least else None
    variables = {**least, **{f"i{k}": 0 for k in sizes}}
    facts = [f"{least} <= {identifier(name)}" for name, least in variables.items()]
    facts += [f"i{k} < {identifier(size)}" for k, size in sizes.items() if size is not None]
    return [*map(identifier, variables)], facts, {f"d{k}": identifier(size) for k, size in sizes.items() if size}


def names_in(node):
    kind, *operands = node
    if kind in ("number", "name"):
        return operands if kind == "name" else []
    if kind == "let":
        return names_in(operands[1]) + [name for name in names_in(operands[2]) if name != operands[0]]
    return sum(map(names_in, operands), [])


class FormulaProof:
    """The proof script of a claim about a formula: a tree of paths."""
    def __init__(self, facts):
        self.first_facts, self.lines = facts, []

    def emit(self, text, depth):
        self.lines.append("  " * depth + text)

    @staticmethod
    def by(words):
        facts = [f"fact{n}" for n in sorted({int(word.split("*")[-1]) for word in words if word != "|"})]
        return f"ltac:(clear{''.join(f' -{fact}' if k == 0 else f' {fact}' for k, fact in enumerate(facts))}; lia)"

    def take_step(self, line, lines, facts, depth):
        """Writes one step, and returns the number of facts after it."""
        kind, _, text = line.partition(" ")
        if kind == "atom":
            name, operator, terms = text.split(" ", 2)
            a, b = map(polynomial, terms.split(" ; "))
            self.emit(f"name_atom {identifier(name)} (({a}) {'/' if operator == 'floordiv' else 'mod'} ({b})).", depth)
            return facts
        if kind == "cut":
            self.emit(f"cut fact{facts + 1} ({polynomial(text)}) {self.by(lines.pop(0).split()[1:])[5:]}.", depth)
            return facts + 1
        name, _, arguments = text.partition(" ")
        self.emit(f"apply_lemma ({name} ({') ('.join(map(polynomial, arguments.split(' ; ')))})).", depth)
        while lines[0].split(" ")[0] == "by":
            self.emit(f"premise {self.by(lines.pop(0).split()[1:])}.", depth)
        count = CONCLUSIONS.get(name, 1)
        self.emit(f"conclusions ({' & '.join(f'fact{facts + k + 1}' for k in range(count))}).".replace("(fact%d)" % (
            facts + 1), f"fact{facts + 1}"), depth)
        return facts + count

    def leaf(self, outcomes, lines, facts, depth):
        """Writes the steps and goals of a path."""
        while lines and lines[0].split(" ")[0] in ("atom", "lemma", "cut"):
            facts = self.take_step(lines.pop(0), lines, facts, depth)
        if lines and lines[0].split(" ")[0] == "false":
            self.emit(f"contradiction_by {self.by(lines[0].split()[1:])}.", depth)
            return
        asked = sum(outcome in ("+", "-", "=") for outcome in outcomes)
        if len(lines) == asked:
            self.emit("no_goal.", depth)
        for line in reversed(lines):
            self.emit(f"goal {self.by(line.split()[1:])}.", depth)
        self.emit("exact I.", depth)

    def tree(self, paths, at, facts, depth):
        """Writes the paths, which have the same outcomes up to `at`."""
        outcomes, rest = paths[0]
        if at == len(outcomes):
            self.emit("settle.", depth)
            self.leaf(outcomes, list(rest), facts, depth)
            return
        outcome = outcomes[at]
        if outcome in ("+", "-", "="):
            self.emit({"+": "condition_is_true.", "-": "condition_is_false.", "=": "values_are_equal."}[outcome], depth)
            self.tree(paths, at + 1, facts, depth)
        elif outcome.startswith("atom "):
            self.take_step(outcome, [], facts, depth)
            self.tree(paths, at + 1, facts, depth)
        elif outcome[-1] in "YN" and outcome.split()[0] in ("Y", "N", "split"):
            if outcome.startswith("split"):
                self.emit(f"settle. split_by ({polynomial(outcome[6:-2])}) as fact{facts + 1}.", depth)
            else:
                self.emit(f"decide fact{facts + 1}.", depth)
            yes = [path for path in paths if path[0][at][-1] == "Y"]
            for branch in (yes, paths[len(yes):]):
                self.emit("{", depth)
                self.tree(branch, at + 1, facts + 1, depth + 1)
                self.emit("}", depth)
        else:
            raise Unsupported(f"the outcome `{outcome}` has no tactic in proofs/Steps.v")


def paths_of(body):
    """Returns the outcomes and the other lines of each path."""
    paths = []
    for line in body:
        if line == "path":
            paths.append([])
        else:
            paths[-1].append(line)
    result = []
    for lines in paths:
        words = ("atom", "lemma", "cut", "goal", "false", "split")
        end = next((k for k, line in enumerate(lines) if line.split(" ")[0] in words), len(lines))
        splits = [k + 1 for k, line in enumerate(lines) if line.startswith("split ")]
        end = splits[-1] if splits else end
        result.append((lines[:end], lines[end:]))
    return result


def formula_theorem(claim, body):
    layout = Layout(claim["layout"][0]) if claim["layout"] else None
    (formula,), equals = parse_all(claim["formula"][0]), [node for text in claim["equals"] for node in parse_all(text)]
    assumptions = [node for part in ("assume", "over") for text in claim[part] for node in parse_all(text)]
    in_order = [node for part in ("over", "formula", "equals", "assume") for text in claim[part] for node in parse_all(text)]
    variables, facts, dimensions = domain(claim, layout, [*dict.fromkeys(sum(map(names_in, in_order), []))])
    index = coq_list(f"i{d}" for d in range(len(layout.sizes))) if layout else None
    text = expression(formula, dimensions)
    if equals:
        statement = f"Agree ({expression(equals[0], dimensions)})\n    ({text})"
    else:
        statement = f"eval ({text}) =\n    Some (linear_index {layout.term} {layout.sizes_term} {index})"
    premises = facts + [f"Holds ({expression(node, dimensions)})" for node in assumptions]
    forall = f"forall {' '.join(variables)} : Z,\n  " if variables else ""
    proof = FormulaProof(len(facts))
    proof.emit(f"intros {' '.join(variables)} {' '.join(f'fact{k + 1}' for k in range(len(facts)))}.", 1)
    proof.emit("begin.", 1)
    proof.tree(paths_of(body), 0, len(facts), 1)
    return (f"Theorem claim : {forall}{' '.join(f'{premise} ->' for premise in premises)}\n  {statement}.\n"
            "Proof.\n" + "\n".join(proof.lines) + "\nQed.\n")


# The statement of each law about a layout l with these sizes, and the theorems of Main.v that it is an instance of.
LAWS = {
    "in-bounds": ("""forall index, InBox index sizes ->
  0 <= linear_index layout sizes index < padded_elements layout sizes""",
                  "intros; apply (Main.in_bounds {layout} {sizes})"),
    "injective": ("""forall index other, InBox index sizes -> InBox other sizes ->
  linear_index layout sizes index = linear_index layout sizes other -> index = other""", "intros; apply (Main.injective {layout} {sizes})"),
    "inverse": ("""(forall index, InBox index sizes -> coordinate layout sizes (linear_index layout sizes index) = Some index) /\\
  (forall place index, 0 <= place < padded_elements layout sizes -> coordinate layout sizes place = Some index ->
     InBox index sizes /\\ linear_index layout sizes index = place)""",
                "split; intros; [apply (Main.coordinate_of_element {layout} {sizes}) | apply (Main.element_of_coordinate {layout} {sizes})]"),
    "equals-pad-reshape-transpose": ("""forall V (array : Arrays.array V), sizes_of V array = sizes ->
  (forall index, InBox index sizes -> memory V layout array (linear_index layout sizes index) = at_index V array index) /\\
  (forall place value, 0 <= place < padded_elements layout sizes -> memory V layout array place = Some value ->
     exists index, InBox index sizes /\\ place = linear_index layout sizes index)""",
                                     "intros V array E; rewrite <- E; split; "
                                     "[apply (Main.memory_at V {layout}) | apply (Main.memory_only V {layout})]; try rewrite E"),
    "equals-mixed-radix": ("""(forall index, InBox index sizes -> chain_linear_index layout sizes index = linear_index layout sizes index) /\\
  volume (chain_sizes (layout_steps layout sizes) sizes) = padded_elements layout sizes""",
                           "split; [apply (Main.mixed_radix_agrees {layout} {sizes}) | apply (Main.mixed_radix_elements {layout} {sizes})]"),
    "onto-padded-box": ("""(forall point, InBox point (box_of layout sizes) ->
     0 <= box_place layout (box_of layout sizes) point < padded_elements layout sizes) /\\
  (forall point other, InBox point (box_of layout sizes) -> InBox other (box_of layout sizes) ->
     box_place layout (box_of layout sizes) point = box_place layout (box_of layout sizes) other -> point = other) /\\
  (forall place, 0 <= place < padded_elements layout sizes ->
     exists point, InBox point (box_of layout sizes) /\\ box_place layout (box_of layout sizes) point = place)""",
                        "split; [| split]; intros; [apply (Main.box_in_bounds {layout} {sizes}) | apply (Main.box_injective "
                        "{layout} {sizes}) | apply (Main.onto_padded_box {layout} {sizes})]; try solve [all_tiles_divide]"),
    "padding-minimal": ("AllMinimal (tiles layout) (permute (order layout) sizes)", "apply (Main.all_padding_is_minimal {layout} {sizes})"),
}


def law_theorem(law, layout):
    if law not in LAWS:
        raise Unsupported(f"the law {law} has no theorem for a single layout in proofs/Main.v")
    statement, proof = LAWS[law]
    facts = [f"{int(name in layout.tile_names)} <= {identifier(name)} ->" for name in layout.names]
    forall = f"forall {' '.join(map(identifier, layout.names))} : Z,\n  {' '.join(facts)}\n  " if layout.names else ""
    proof = proof.replace("{layout}", layout.term).replace("{sizes}", layout.sizes_term)
    names = [*map(identifier, layout.names), *(f"fact{k + 1}" for k in range(len(facts))), "layout", "sizes"]
    return (f"Theorem claim : {forall}let layout := {layout.term} in\n  let sizes := {layout.sizes_term} in\n  {statement}.\n"
            f"Proof.\n  intros {' '.join(names)}. subst layout sizes.\n  {proof}; about_layout.\nQed.\n")


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    with open(sys.argv[1], encoding="utf-8") as file:
        lines = file.read().split("\n")
    parts = ("law", "layout", "over", "formula", "equals", "assume", "integer")
    claim = {part: [line.partition(" ")[2] for line in lines if line.split(" ")[0] == part] for part in parts}
    body = [line for line in lines[1:lines.index("end")] if line.split(" ")[0] not in parts]
    try:
        is_formula = claim["law"] == ["formula"]
        theorem = formula_theorem(claim, body) if is_formula else law_theorem(claim["law"][0], Layout(claim["layout"][0]))
    except Unsupported as error:
        print(f"{sys.argv[1]}: {error}", file=sys.stderr)
        return 1
    stated = "\n".join(f"   {part} {text}" for part in parts for text in claim[part]).replace("*)", "* )").replace("(*", "( *")
    print(f"(* The claim:\n{stated} *)\nFrom Coq Require Import ZArith List Lia.\nFrom Layoutcheck Require Import Steps{'' if is_formula else ' Arrays MixedRadix Main'}.\n"
          f"Open Scope Z_scope.\n\n{theorem}Print Assumptions claim.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
