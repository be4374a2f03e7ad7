"""Training and measuring the clause heads: labelled contracts, folds by family, cross-fitting, figures."""
