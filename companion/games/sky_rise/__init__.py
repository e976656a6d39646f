"""Sky Rise: floors of cards, pyramids on their corners, secret goals. RULES.md has the rules clause by clause."""
