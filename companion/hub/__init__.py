"""Many tables: what a club night's or a convention's hub keeps of them, and shows."""


class Declined(Exception):  # noqa: N818  an answer to whoever asked
    """What somebody asked for at the hub cannot be done; the sentence says why."""
