"""Serve pages for phones and tablets: what the table may see, and what one seat may, pushed as it changes.

The hub uses the same bounds (`connections`), headers, streams (`responses`) and checks.
"""
