"""The screen of the table. Only this package imports textual, and only its modules do: importing the package is cheap."""
