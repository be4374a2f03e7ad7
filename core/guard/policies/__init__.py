"""Policies: who may do what, as Cedar files that ship with the package and can be replaced in a home."""
