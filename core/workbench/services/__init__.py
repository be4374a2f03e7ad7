"""What a principal may do with a home, subject by subject."""
