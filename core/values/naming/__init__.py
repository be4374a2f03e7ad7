"""Names of documents: their words, openings and file names."""
