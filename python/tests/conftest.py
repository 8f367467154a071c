# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Settings of Hypothesis for all tests. On a busy machine the first draw may take seconds, which is no failure."""

from hypothesis import HealthCheck, settings

settings.register_profile("busy", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("busy")
