"""Page: variants of the home, compared and switched to."""
