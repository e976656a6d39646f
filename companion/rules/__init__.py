"""The interface of games and what they share: facts, seats, forms, house rules, components; and the list of games."""
