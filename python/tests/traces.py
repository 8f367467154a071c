# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Traces of functions whose parameters are integers of at least 0."""

import inspect

from layoutcheck._proving.trace import Call, Domain, Traced


def trace(function, below=(), assume=""):
    names = list(inspect.signature(function).parameters)
    return Traced(Domain({name: 0 for name in names}, below, assume), Call(function, names, []))


def formula(function, below=(), assume=""):
    traced = trace(function, below, assume)
    assert traced.refused is None, traced.refused
    return traced.formula()


def refusal(function):
    refused = trace(function).refused
    assert refused is not None
    return refused
