"""Ingest: files on their way into the collection."""
