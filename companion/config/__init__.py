"""Read a person's settings: one TOML file, which need not exist, and what overrides it."""
