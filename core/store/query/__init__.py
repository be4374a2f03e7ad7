"""Conditions, computations and pages over cells and rows, in SQL and three values."""
