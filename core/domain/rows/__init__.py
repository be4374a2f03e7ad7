"""Datasets: what is known of registered files of rows."""
