"""What language models did, as it is kept and shown."""
