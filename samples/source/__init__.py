"""What the sample collection is written from; `python -m samples.source.build` writes the files."""
