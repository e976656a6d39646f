"""The settings of a person: one TOML file that nobody has to have, and what overrides it."""
