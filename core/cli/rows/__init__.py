"""Commands over rows."""
