"""What a session's record comes to, and how it is put right."""
