"""Guards against answering another question than the one asked."""
