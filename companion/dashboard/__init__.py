"""The screen of the table. Only its modules import textual; importing the package alone is cheap."""
