"""Alternatives that lack a variable which their context binds: each gets it before lowering."""

from phenesthe.plan.alternatives.complete import Completed, complete_alternatives, has_lacking

__all__ = ["Completed", "complete_alternatives", "has_lacking"]
