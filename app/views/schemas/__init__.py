"""Schemas: the fields of each kind of document, and how sure is sure enough."""
