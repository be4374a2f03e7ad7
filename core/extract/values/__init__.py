"""Rules: what a document says of its law, dates, parties and amounts, each with where it says so."""
