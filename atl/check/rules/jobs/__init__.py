"""4xx: jobs and their calls."""

from atl.check.registry import Row
from atl.syntax import nodes as n

RULES = (Row("ATL408", "scheduled_job_needs_arguments", (n.JobDecl,)),)
