"""Evaluations of a home: suites and runs for a principal, and the product as a run measures it."""
