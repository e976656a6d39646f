"""Why something stands as it does: the facts, the evidence with its times, and the clause."""
