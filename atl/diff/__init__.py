"""Two schemas, and what is between them."""

from atl.diff.differ import Diff, diff
from atl.diff.model import Change, Class, Hazard

__all__ = ["Change", "Class", "Diff", "Hazard", "diff"]
