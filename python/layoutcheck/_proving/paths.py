# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a function on symbolic integers, once per path, and collects the paths as a tree of decisions."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field

from .guard import Escape, Guard, is_own
from .integers import MAX_VALUES, SymbolicInteger, is_condition, plain_value
from .nodes import Facts, Graph, Node

MAX_PATHS = 512
MAX_DECISIONS = 300  # per path
MAX_DEPTH = 300  # levels of operators per expression
MAX_NODES = 20_000  # different expressions on all paths
MAX_STEPS = 5_000  # decisions on all paths


@dataclass
class Leaf:
    """The end of a path: the values of the result's components, or the text of the exception that was raised."""

    values: tuple[Node, ...] = ()
    is_tuple: bool = False
    fault: str | None = None


@dataclass
class Step:
    """The part of a path up to a decision or its end. `created` are the expressions that it computes, in order."""

    created: list[Node] = field(default_factory=list)
    condition: Node | None = None
    is_forced: bool = False  # the other way was excluded by ranges; the prover has to confirm it
    yes: Step | None = None
    no: Step | None = None
    leaf: Leaf | None = None


class Path:
    """One run of the function. `choices` are the first decisions, which lead to the wanted path."""

    def __init__(self, tree: Tree, choices):
        self.graph = tree.graph
        self.choices = choices
        self.taken = []  # one (condition, outcome, is_forced) per decision
        self.created = [[]]
        self._decided = {}
        self.escaped: str | None = None
        self.text_place: str | None = None
        self._exceptions = []  # (exception, place) that C code raised, and perhaps would not raise for integers
        self._facts = tree.facts.copy()
        self._seen = set(tree.inputs)
        self._is_alive = True

    def escape(self, reason: str):
        """Ends the tracing, and says at which line."""
        reason = f"{place()}: {reason}"
        self.escaped = self.escaped or reason
        raise Escape(reason)

    def end(self):
        self._is_alive = False

    def check_alive(self):
        if not self._is_alive:
            self.escape("a symbolic integer is used after its call ended")
        if self.escaped:
            raise Escape(self.escaped)

    def note_text(self):
        """Notes that a symbolic integer became a text, which may only be that of an exception."""
        self.text_place = self.text_place or place()

    def note_exception(self, error, where):
        """Notes an exception that symbolic integers may raise where integers do not, so that nobody may catch it."""
        if all(error is not noted for noted, _ in self._exceptions):
            self._exceptions.append((error, where))

    def why_caught(self, raised) -> str | None:
        """Returns a text if a noted exception is not the one that the function raises."""
        for error, where in self._exceptions:
            if error is not raised:
                return (f"{where}: catches a {type(error).__name__}, which symbolic integers may raise where integers do "
                        "not")
        return None

    def range_of(self, node):
        return self._facts.range_of(node)

    def negative(self, node: Node) -> Node:
        return self.graph.const(-node.value) if node.op == "const" else self.apply("-", node)

    def apply(self, op: str, *operands: Node) -> Node:
        self.check_alive()
        node = self.graph.apply(op, *operands)
        if node not in self._seen:
            self._seen.add(node)
            self.created[-1].append(node)
        if node.depth > MAX_DEPTH:
            self.escape(f"an expression of more than {MAX_DEPTH} levels")
        if node.number > MAX_NODES:
            self.escape(f"more than {MAX_NODES} different expressions")
        return node

    def is_negative(self, amount: Node) -> bool:
        """Decides whether the amount of a shift is below 0."""
        return not self._has_least(amount, 0) and self.decide("<", amount, self.graph.const(0))

    def is_positive(self, divisor: Node) -> bool:
        """Decides whether a divisor is above 0."""
        return self._has_least(divisor, 1) or self.decide("<", self.graph.const(0), divisor)

    def _has_least(self, node, least):
        # If the ranges are wrong here, the formula has no value, because its shifts and divisions demand the same.
        low = self.range_of(node)[0]
        return low is not None and low >= least

    def decide(self, op: str, left: Node, right: Node) -> bool:
        """Decides a comparison of two expressions."""
        if left.op == "const" and right.op == "const":
            return left.value < right.value if op == "<" else left.value == right.value
        return self._decide(self.graph.apply(op, left, right))

    def decide_truth(self, node: Node) -> bool:
        """Decides whether the value is other than 0."""
        self.check_alive()
        return self._decide(node if is_condition(node) else self.graph.apply("!=", node, self.graph.const(0)))

    def _decide(self, condition):
        self.check_alive()
        if condition in self._decided:
            return self._decided[condition]
        known = self._facts.truth_of(condition)
        step = len(self.taken)
        if step == MAX_DECISIONS:
            self.escape(f"more than {MAX_DECISIONS} decisions on one path; is a loop without a known end?")
        if step < len(self.choices):
            expected, outcome, _ = self.choices[step]
            if expected is not condition:
                self.escape("the function decides otherwise than in an earlier call with the same arguments")
        else:
            outcome = True if known is None else known
        self.taken.append((condition, outcome, known is not None))
        self.created.append([])
        self._decided[condition] = outcome
        self._facts.add(condition, outcome)
        return outcome

    def value_of(self, node: Node, use: str) -> int:
        """Returns the value as an int, on a path of its own per value. `use` says why it is needed."""
        self.check_alive()
        low, high = self.range_of(node)
        if low is None or high is None or high - low >= MAX_VALUES:
            self.escape(f"a symbolic integer {use}: expected one of at most {MAX_VALUES} known values")
        for value in range(low, high + 1):
            if self._decide(self.graph.apply("==", node, self.graph.const(value))):
                return value
        return self.escape("no value is left")


def place() -> str:
    """Returns the file and line of the function that is traced, from inside of its operators."""
    frame = sys._getframe(1)
    while frame is not None and is_own(frame):
        frame = frame.f_back
    return "?" if frame is None else f"{frame.f_code.co_filename}:{frame.f_lineno}"


class Tree:
    """The paths of a function.

    `inputs` are the expressions of its arguments; `facts` hold for them, and the prover knows them, too.
    """

    def __init__(self, graph: Graph, facts: Facts, inputs: list[Node]):
        self.graph = graph
        self.facts = facts
        self.inputs = inputs
        self.root = Step()

    def explore(self, function, arguments) -> str | None:
        """Runs the function on all paths. arguments(path) returns the positional and keyword arguments of a path.

        Returns the reason why the function cannot be traced, or None.
        """
        guard = Guard()
        refused = guard.check_function(function)
        if refused:
            return refused
        choices = []
        steps = 0
        for _ in range(MAX_PATHS):
            path = Path(self, choices)
            leaf, reason = self._run(guard, function, arguments, path)
            reason = reason or self._add(path, leaf)
            if reason:
                return reason
            taken = path.taken
            steps += len(taken)
            if steps > MAX_STEPS:
                return f"more than {MAX_STEPS} decisions; is a loop without a known end?"
            while taken and (taken[-1][2] or not taken[-1][1]):
                taken.pop()
            if not taken:
                return None
            condition, _, is_forced = taken.pop()
            choices = [*taken, (condition, False, is_forced)]
        return f"more than {MAX_PATHS} paths; is a loop without a known end?"

    def _run(self, guard, function, arguments, path):
        """Returns the leaf, or a reason why there is none."""
        leaf = None
        refused = None
        raised = None
        positional, keywords = arguments(path)
        try:
            with guard.watching(path):
                result = function(*positional, **keywords)
            leaf = _leaf_of(path, result)
        except Escape as escape:
            refused = str(escape)
        except (KeyboardInterrupt, MemoryError, RecursionError) as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            refused = f"the traced function raises {type(error).__name__}"
        except BaseException as error:  # every exception of the function is a result
            leaf = Leaf(fault=_exception_text(error))
            raised = error
        finally:
            path.end()
        refused = path.escaped or refused or guard.violation or guard.changed() or path.why_caught(raised)
        if not refused and path.text_place and leaf.fault is None:
            refused = f"{path.text_place}: a symbolic integer becomes a text: expected that only in an exception"
        return leaf, refused

    def _add(self, path, leaf):
        """Adds a path to the tree. Returns a reason if the path contradicts the tree."""
        if len(path.taken) < len(path.choices):
            return "the function ends earlier than in an earlier call with the same arguments"
        step = self.root
        is_new = not path.choices
        for k, (condition, outcome, is_forced) in enumerate(path.taken):
            if is_new:
                step.created, step.condition, step.is_forced = path.created[k], condition, is_forced
            elif step.created != path.created[k]:
                return "the function computes otherwise than in an earlier call with the same arguments"
            is_new = is_new or k == len(path.choices) - 1
            child = Step() if is_new else (step.yes if outcome else step.no)
            if is_new and outcome:
                step.yes = child
            elif is_new:
                step.no = child
            step = child
        step.created, step.leaf = path.created[-1], leaf
        return None


def _leaf_of(path, result):
    is_tuple = type(result) in (tuple, list)
    values = []
    for value in result if is_tuple else (result,):
        value = plain_value(value)
        if type(value) is SymbolicInteger:
            if value._layoutcheck_path is not path:
                path.escape("the function keeps a value from an earlier call")
            values.append(value._layoutcheck_node)
        elif type(value) in (int, bool):
            values.append(path.graph.const(value))
        else:
            return Leaf(fault=f"returned a {type(value).__qualname__}: expected int")
    return Leaf(tuple(values), is_tuple) if values else Leaf(fault="returned an empty tuple")


def _exception_text(error):
    try:
        text = str(error)
    except Exception:  # of the function's own class
        text = ""
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
