"""The error of a virtual board."""


class VirtualBoardError(RuntimeError):
    """The virtual board cannot do something; the message is one sentence for people."""
