"""A session written byte by byte, played again into the same result, and put in a report."""
