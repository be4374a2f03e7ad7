"""Typed values of fields, read from words that a field points at."""
