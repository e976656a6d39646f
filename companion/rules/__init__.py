"""What a game is, for every game: facts, seats, forms, house rules, components, transcripts; and which there are."""
