# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Settings of Hypothesis and JAX for all tests. On a busy machine the first draw may take seconds, which is no failure."""

import os

from hypothesis import HealthCheck, settings

settings.register_profile("busy", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("busy")

# Devices of the host for tests of shardings; read when JAX starts.
os.environ.setdefault("XLA_FLAGS", "--xla_force_host_platform_device_count=8")
