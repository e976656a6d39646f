"""A game's public output as numbered events: what overlay, hooks, MQTT and a hub are told."""
