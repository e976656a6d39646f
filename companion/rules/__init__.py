"""What a game is, for every game: facts, seats, forms, house rules, components; and which there are."""
