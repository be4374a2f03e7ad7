"""Variants of a home, compared with it and switched to."""
