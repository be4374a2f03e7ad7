"""Rows and datasets in words and charts."""
