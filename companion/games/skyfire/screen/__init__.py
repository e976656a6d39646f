"""SkyFire on the screen: seats, launch zones, cards in sight, a seat's own notes, statistics."""
