"""Many tables: what a club night's or a convention's hub keeps of them, and shows."""


class Declined(Exception):
    """What somebody asked for at the hub cannot be done; the sentence says why."""
