"""Does an answer stay right when the collection grows fifty-fold: documents, questions, systems, figures."""
