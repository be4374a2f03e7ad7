"""Wordings of questions over tables that change what their conditions and results are of."""
