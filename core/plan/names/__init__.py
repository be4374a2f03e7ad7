"""Names of documents: which document the words of a person mean."""
