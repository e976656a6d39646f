"""The page that is read from across the table: clock, turn and scores in letters of several lines."""
