"""What relies on the internals of the terminal library, which keeps them to itself; tried with one version."""
