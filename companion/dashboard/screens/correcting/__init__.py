"""Putting the record right: the evidence beside the rulings made of it, and the forms that change them."""
