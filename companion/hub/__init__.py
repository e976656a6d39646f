"""Store and show many tables at a hub, for a club night or a convention."""


class Declined(Exception):
    """A request that cannot be done at the hub; the sentence says why."""
