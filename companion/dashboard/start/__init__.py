"""The screens before a table: what to play, who sits down, and a tour."""
