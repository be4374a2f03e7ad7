"""Benchmarks of answers: abstention, the shipped abstention model, latency."""
