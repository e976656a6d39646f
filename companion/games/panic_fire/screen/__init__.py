"""Panic Fire on the screen: seats, gun, piles, statistics."""
