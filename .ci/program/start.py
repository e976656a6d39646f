"""What the program without Python runs first."""

import sys

from companion.cli import main

if __name__ == "__main__":
    sys.exit(main())
