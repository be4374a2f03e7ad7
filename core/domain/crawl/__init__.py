"""A crawl: what was asked for, every address it saw, and what its runs came to."""
