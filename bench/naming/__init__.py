"""Names of documents in words: a generator, weights learnt from it, and a measurement."""
