"""Fields of schemas, tried, checked and taken over documents, for the services."""
