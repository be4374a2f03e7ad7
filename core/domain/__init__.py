"""Frozen value types that every stage shares; they import nothing but one another."""
