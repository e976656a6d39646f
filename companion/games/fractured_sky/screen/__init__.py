"""Fractured Sky on the screen: the map, the players, the AIs' moves, the end of a round and the map editor."""
