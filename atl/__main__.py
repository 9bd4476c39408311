"""`python -m atl`."""

import sys

from atl.cli import main

if __name__ == "__main__":
    sys.exit(main())
