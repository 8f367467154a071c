# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The entry point that Hypothesis calls when it is imported: Layout gets its strategy."""

from ._core import Layout


def _strategy_for(_):
    from .strategies import layouts

    return layouts()


def register():
    """Registers layouts() as the strategy of layoutcheck.Layout, for st.from_type and st.builds."""
    from hypothesis import strategies as st

    st.register_type_strategy(Layout, _strategy_for)
