"""Datasets: files of rows, read once into columns of known types, and asked by SQL."""
