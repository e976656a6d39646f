"""Pages for phones and tablets: what the table may see, and what one seat may, pushed as it changes.

The hub answers with the same bounds (`connections`), headers, streams (`responses`) and checks.
"""
