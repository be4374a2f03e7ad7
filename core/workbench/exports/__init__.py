"""The matrix and its cells as files: CSV and XLSX."""
