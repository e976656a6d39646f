"""The owner's own list of what is in the box: entered, stored, and compared with the packaged one."""
