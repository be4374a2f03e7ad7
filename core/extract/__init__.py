"""Extraction of facts from documents: fields, clauses, parties, amounts and tables, each with its span."""
