"""Run the subcommands of `companion` that have no package of their own."""
