"""A crawl as a job: the crawler beside it, its pages on their way into the collection, and its end."""
