"""The process that optimizes: LLVM IR in its input becomes an object file in its output."""

from __future__ import annotations

import os
import sys

from symcontact_ros.kernels.targets.native import NATIVE

PATIENT = 5  # by how much nicer than others it is


def main() -> None:
    """Compile what there is to read, for this machine."""
    os.nice(PATIENT)
    text = sys.stdin.buffer.read().decode()
    sys.stdout.buffer.write(NATIVE.object_code(text, optimized=True))
