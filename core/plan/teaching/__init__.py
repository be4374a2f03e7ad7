"""Readings that people teach: words of a question marked with what they say, and what follows from it."""
