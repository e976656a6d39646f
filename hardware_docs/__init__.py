"""How the table is built; the drawings are made by `python -m hardware_docs.drawings`."""
