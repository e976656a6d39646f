"""Code that depends on Textual's internals; tried with one version."""
