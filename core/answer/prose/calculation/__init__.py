"""Calculations over figures that are cited: what a model proposes, code evaluates."""
