"""Matrix: documents down, fields across, decided cell by cell."""
