"""5xx: workflows."""

from atl.check.registry import Row
from atl.syntax import nodes as n

RULES: tuple[Row, ...] = (
    Row("ATL501", "no_steps", (n.WorkflowDecl,)),
    Row("ATL502", "duplicate_step", (n.WorkflowDecl,)),
    Row("ATL503", "step_without_job", (n.Step, n.Compensate)),
    Row("ATL504", "unknown_step", (n.Compensate,)),
    Row("ATL505", "duplicate_compensation", (n.WorkflowDecl,)),
    Row("ATL509", "unused_state", (n.State,)),
    Row("ATL510", "state_storage_modifier", (n.State,)),
    Row("ATL512", "compensation_never_runs", (n.WorkflowDecl,)),
)
