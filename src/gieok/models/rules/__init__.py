"""Extraction without a model: morphology, frames and a small logistic judge."""

from gieok.models.rules.extractor import RulesModel

__all__ = ["RulesModel"]
