"""Uncertain cells read by a language model: what it is shown, and which of its answers count."""
