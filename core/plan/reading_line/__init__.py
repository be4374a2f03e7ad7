"""The reading line of an answer: the parts of its plan in words, and the changes that can be made to each."""
