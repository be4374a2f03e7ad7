"""The name of the file that holds the records of a home."""

RECORDS_FILE = "records.sqlite"
