"""Services of a home for a principal, subject by subject."""
