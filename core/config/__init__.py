"""Settings: one TOML in the home folder, overridden from the environment."""
