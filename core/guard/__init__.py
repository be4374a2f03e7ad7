"""Guards on questions and answers: small functions with a typed verdict, with and without a model."""
