"""Crawls in words and charts, and the form that makes one."""
