"""Services over rows."""
