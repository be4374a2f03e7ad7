"""HTML: what a page shows, what it declares about itself, and what of it cannot be read."""
