"""Benchmarks on real public data; one command each, never part of the test run."""
