"""Prose of a language model: each claim of it is held against what it cites."""
