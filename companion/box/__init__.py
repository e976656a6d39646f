"""What the owner of a box says of its parts: read, compared with the packaged file, and entered."""
