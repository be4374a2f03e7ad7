"""Plans that a language model proposes: the catalogue as it is told, its reply, and the plan made of it."""
