"""Readers of questions: each gives a `core.plan.reading.Reading`, which one compiler makes a plan of."""
