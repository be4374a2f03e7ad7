"""Datasets: files of rows registered, looked at, asked by SQL."""
