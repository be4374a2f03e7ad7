"""Crawl: sites on their way into the collection, and a line for every address that was ever seen."""
