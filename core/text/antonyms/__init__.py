"""Opposites of English words, from WordNet 3.0."""

from core.text.antonyms.lookup import are_opposite, opposites_of

__all__ = ["are_opposite", "opposites_of"]
