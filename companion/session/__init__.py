"""One session at the table: evidence, gestures, facts, corrections and views. It knows no widget."""
