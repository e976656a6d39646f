"""The widgets that all games' screens share."""
