"""The search engines of a home: opened, brought up to the records, repaired and built anew."""
