"""Correcting the record: evidence beside the rulings made from it, and the forms that change them."""
