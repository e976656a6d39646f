"""One session at the table: evidence, gestures, facts, what they come to, corrections, views. It knows no widget."""
