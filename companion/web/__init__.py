"""A page for phones and tablets: what the table may see, and what one seat may, pushed as it changes.

Only this package knows the web library.
"""
