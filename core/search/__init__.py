"""Finds the passages, and the sentences in them, that may answer a question."""
