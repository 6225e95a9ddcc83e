"""What works here and what does not, one finding a line, each with what to do about it."""

from companion.doctor.checks import CHECKS, Patient, examine, running
from companion.doctor.diagnostics import keep_errors, pack
from companion.doctor.finding import Finding, cannot_run

__all__ = ["CHECKS", "Finding", "Patient", "cannot_run", "examine", "keep_errors", "pack", "running"]
