"""Trained choosers of values: labels, folds, fitting, figures."""
