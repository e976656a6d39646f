"""The contract with the board: frames, messages, golden vectors, the board's own firmware and the virtual board.

`frames` and `messages` run unchanged under CPython and MicroPython, so they use nothing but the library both have.
"""
