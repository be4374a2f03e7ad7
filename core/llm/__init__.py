"""Language models: three kinds of call, with limits, and failures that can be told apart."""
