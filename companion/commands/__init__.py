"""What `companion` does at its subcommands, beside the packages that have their own."""
