"""
Comparison of random kernels in plain Python and compiled, by the memory that they write.

``--invalid`` makes the programs invalid first: each must then be rejected with a `KernelError`, or
give the same results as plain Python. A program that fails is reduced, and printed with its seed.
"""

import argparse
from pathlib import Path
import sys
import time

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / 'test')]


def main() -> int:
    """Return 1 if a program failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--count', type=int, default=1000, help='number of programs')
    parser.add_argument('--seed', default='0', help='seed of the programs')
    parser.add_argument('--debug', action='store_true', help='compile them for debugging')
    parser.add_argument('--invalid', action='store_true', help='break the programs first')
    options = parser.parse_args()
    started = time.perf_counter(), time.process_time()

    def progress(done: int, wrong: int) -> None:
        if sys.stderr.isatty():
            print(f'\r{done} programs, {wrong} wrong', end='', file=sys.stderr)

    if options.invalid:
        from helpers.kernel_mutations import fuzz_invalid

        wrong = fuzz_invalid(options.count, options.seed, progress)
    else:
        from helpers.kernel_fuzzing import fuzz

        wrong = fuzz(options.count, options.seed, options.debug, progress)
    for text in wrong:
        print(text, end='\n\n')
    elapsed, cpu = time.perf_counter() - started[0], time.process_time() - started[1]
    print(f'{options.count} programs, {len(wrong)} wrong, {elapsed:.1f} s ({cpu:.1f} s of CPU)')
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
