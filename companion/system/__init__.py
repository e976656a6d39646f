"""What differs between systems, and between an installed program and a frozen one: nobody else asks which it is."""

import sys

NAME = sys.platform
"""The system's name for reports: `linux`, `darwin`, `win32`."""
