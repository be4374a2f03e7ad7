"""Cells of documents: values, reviews, thresholds, tables, facts, and what amendments make of them."""
