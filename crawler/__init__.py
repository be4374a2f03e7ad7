"""The crawler: a Scrapy project that runs as a process of its own (not built yet)."""
