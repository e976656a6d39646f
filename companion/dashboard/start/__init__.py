"""The screens before a game: what to play, who sits down, and what to learn."""
