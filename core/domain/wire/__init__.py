"""The JSON of domain values: one vocabulary for the command line and the API."""
