"""Imports every module of the product, and prints those that cannot be imported."""

import sys
from importlib import import_module
from pathlib import Path

TOP = Path(__file__).parents[2]


def names() -> list[str]:
    """Return the names of all modules but programs, and the steps of the hub's database, which Alembic runs."""
    files = [*TOP.glob("companion/**/*.py"), *TOP.glob("firmware_protocol/**/*.py")]
    parts = [file.relative_to(TOP).with_suffix("").parts for file in files]
    modules = [".".join(part for part in path if part != "__init__") for path in parts]
    return sorted(
        name for name in modules if not name.endswith("__main__") and ".migrations" not in name
    )


def main() -> None:
    """Print the system's name, and a line for each module that cannot be imported, with what it lacks."""
    print(sys.platform)
    for name in names():
        try:
            import_module(name)
        except ModuleNotFoundError as missing:
            print(name, missing.name)


if __name__ == "__main__":
    main()
