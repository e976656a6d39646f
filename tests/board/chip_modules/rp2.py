"""`rp2` of an image that is too old: it has the PIO and no DMA."""
# ruff: noqa: ARG002  the firmware calls it as it calls the real one


class PIO:
    JOIN_RX = 2

    def __init__(self, number: int) -> None:
        self.number = number

    def remove_program(self, program: object) -> None:
        return None


class StateMachine:
    def __init__(self, number: int, program: object, freq: int, in_base: object) -> None:
        self.number = number

    def exec(self, instruction: str) -> None:
        return None

    def active(self, on: int) -> None:
        return None


def asm_pio(fifo_join: int) -> object:
    return lambda program: program
