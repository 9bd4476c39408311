"""`python -m atl`."""

import sys

from atl.cli import program

if __name__ == "__main__":
    sys.exit(program())
