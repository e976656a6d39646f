"""The owner's own list of what is in the box: entered, kept, and compared with the packaged one."""
