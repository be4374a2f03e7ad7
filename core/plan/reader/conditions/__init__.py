"""Spans of a reading as conditions of a syntax tree: one module for each thing that a span may say."""
