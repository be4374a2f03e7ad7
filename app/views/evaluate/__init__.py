"""Evaluate: suites of questions with known answers, runs of them, and runs compared."""
