"""What is wrong, as frozen data: codes, findings, labels, fixes. How they look is the renderers' affair."""

from atl.findings.codes import CODES, Code, Severity
from atl.findings.model import Edit, Finding, Fix, Label

__all__ = ["CODES", "Code", "Edit", "Finding", "Fix", "Label", "Severity"]
