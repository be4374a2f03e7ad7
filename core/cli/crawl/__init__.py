"""The command `groundwork crawl`."""
