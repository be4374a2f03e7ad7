"""The crawler: a Scrapy project that runs as a process of its own and works off the frontier."""
