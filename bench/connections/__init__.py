"""Connections planted among papers, and the map held against them."""
