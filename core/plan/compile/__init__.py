"""Compiler of readings: a `Reading` and the catalogue become a plan, whoever read the question."""
