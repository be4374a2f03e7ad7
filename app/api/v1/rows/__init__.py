"""Routes over rows."""
