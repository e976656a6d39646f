"""The evidence read again with other settings, and shown beside the rulings made of it."""
