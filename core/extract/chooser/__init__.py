"""The second reader of values: trained choosers over the candidates that a text gives."""
