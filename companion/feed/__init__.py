"""Make a game's public output, numbered events, for the overlay, hooks, MQTT and a hub."""
