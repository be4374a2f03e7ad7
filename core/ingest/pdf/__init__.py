"""What stands in a PDF: its text in reading order, its forms, notes and attached files."""
