#!/usr/bin/env python3
"""Make a release: `python3 .ci/release 0.2.0`.

All of it happens in a temporary clone of the last commit. At the end the release's commit, its tag and the files in
`dist/` are brought into this clone, and nothing is pushed: the last lines say what to push. A step that fails changes
nothing here.
"""

from __future__ import annotations

import argparse
import datetime
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from files import build, checksums, make_tools
from installs import bill_of_materials, find_pythons, play_a_demo
from numbering import changelog_problem, claimed_pythons, date_changelog, set_version

BRANCH = "main"


class Problem(Exception):
    """Why there is no release, in one sentence that says what to do."""


def main() -> None:
    """Run every step in order."""
    args = _arguments()
    os.umask(0o022)  # the modes of files go into the archives
    try:
        with tempfile.TemporaryDirectory(prefix="release-") as folder:
            steps = files_of_tag if args.files_of_tag else release
            steps(args, Path.cwd(), Path(folder))
    except Problem as problem:
        sys.exit(f"No release: {problem}")
    except subprocess.CalledProcessError as problem:
        sys.exit(f"No release: {problem}\n{problem.stderr or ''}".rstrip())


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("version", metavar="VERSION", help="for example 0.2.0")
    tested = "do not run .ci/run: it passed for this commit already"
    parser.add_argument("--tested", action="store_true", help=tested)
    untried = "release although a claimed Python is missing here; the last lines name it"
    parser.add_argument("--untried-pythons", action="store_true", help=untried)
    again = "only make the files of an existing tag again, in dist/"
    parser.add_argument("--files-of-tag", action="store_true", help=again)
    return parser.parse_args()


def release(args: argparse.Namespace, here: Path, folder: Path) -> None:
    """Make the release of the clone `here`, with its work in `folder`."""
    tag = f"v{args.version}"
    _check_clone(here, tag)
    before = _git(here, "rev-parse", "--short", "HEAD")
    clone, made = folder / "clone", folder / "dist"
    _git(here, "clone", "--quiet", "--branch", BRANCH, str(here), str(clone))
    _say("the changelog and the version")
    _set_numbers(clone, args.version)
    pythons, missing = _pythons(clone, untried=args.untried_pythons)
    if not args.tested:
        _say("the tests, lints and demo of .ci/run")
        subprocess.run([clone / ".ci" / "run"], cwd=clone, check=True)
    _make_files(clone, made, folder, args.version, pythons)
    _git(clone, "tag", "--annotate", tag, "--message", f"Table companion {args.version}")
    _git(here, "pull", "--quiet", "--ff-only", str(clone), BRANCH)
    _git(here, "fetch", "--quiet", str(clone), f"refs/tags/{tag}:refs/tags/{tag}")
    _keep(made, here, tag)
    _say_what_to_push(tag, list(pythons), missing, tested=args.tested)
    print(f"To drop it instead: git tag -d {tag} && git reset --hard {before}")


def files_of_tag(args: argparse.Namespace, here: Path, folder: Path) -> None:
    """Make the files of a release again from its tag; from the same commit they are the same files."""
    tag = f"v{args.version}"
    clone, made = folder / "clone", folder / "dist"
    _git(here, "clone", "--quiet", "--branch", tag, str(here), str(clone))
    pythons, _ = _pythons(clone, untried=args.untried_pythons)
    _make_files(clone, made, folder, args.version, pythons)
    _keep(made, here, tag)


def _make_files(
    clone: Path, made: Path, folder: Path, version: str, pythons: dict[str, Path]
) -> None:
    """Build, check and install the files of the clone's commit, and list what came with them."""
    epoch = int(_git(clone, "log", "-1", "--format=%ct"))
    tools = make_tools(folder / "tools", clone)
    _say("wheel and source archive, twice")
    if build(tools, clone, made, epoch) != build(tools, clone, folder / "again", epoch):
        raise Problem("building twice gave other bytes; compare the archives with diffoscope.")
    archives = sorted(made.iterdir())
    subprocess.run([tools / "twine", "--no-color", "check", "--strict", *archives], check=True)
    for name, python in pythons.items():
        for archive in archives:
            _say(f"a demo with Python {name}, installed from {archive.name}")
            play_a_demo(tools, python, archive, folder)
    _say("the bill of materials")
    newest = pythons[max(pythons, key=_number)]
    bill_of_materials(tools, newest, made, folder, f"table-companion-{version}.cdx.json")
    (made / "SHA256SUMS").write_text(checksums(made), encoding="ascii")


def _number(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def _check_clone(here: Path, tag: str) -> None:
    """Raise `Problem` unless this is a clean clone on the branch, without that tag."""
    branch = _git(here, "branch", "--show-current")
    if branch != BRANCH:
        raise Problem(f"this clone is on {branch or 'no branch'}; a release is made on {BRANCH}.")
    changed = _git(here, "status", "--porcelain")
    if changed:
        raise Problem(f"these files are not committed:\n{changed}\nCommit or remove them.")
    if _git(here, "tag", "--list", tag):
        raise Problem(f"there is a tag {tag} already; choose another version.")


def _set_numbers(clone: Path, version: str) -> None:
    """Commit the version and the date of the release, if they are not there already."""
    problem = changelog_problem(clone, version)
    if problem:
        raise Problem(problem)
    set_version(clone, version)
    date_changelog(clone, version, datetime.datetime.now(datetime.UTC).date())
    if _git(clone, "status", "--porcelain"):
        _git(clone, "commit", "--quiet", "--all", "--message", f"Release {version}")


def _pythons(clone: Path, *, untried: bool) -> tuple[dict[str, Path], list[str]]:
    """Return the claimed Pythons that are here, and the claimed versions that are not."""
    claimed = claimed_pythons(clone)
    pythons = find_pythons(claimed)
    missing = [version for version in claimed if version not in pythons]
    if not pythons or (missing and not untried):
        names = " and ".join(missing)
        raise Problem(
            f"pyproject.toml claims Python {names}, which is not here. Install it, remove the "
            "claim, or add --untried-pythons."
        )
    return pythons, missing


def _keep(made: Path, here: Path, tag: str) -> None:
    """Copy the files to `dist/TAG` and print their checksums."""
    target = here / "dist" / tag
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(made, target)
    print((target / "SHA256SUMS").read_text(encoding="ascii"))


def _say_what_to_push(tag: str, tried: list[str], missing: list[str], *, tested: bool) -> None:
    print(f"{tag} is made and not published. A demo was played with Python {', '.join(tried)}.")
    if missing:
        print(f"Claimed but not tried here: Python {', '.join(missing)}.")
    if tested:
        print("The tests were not run again (--tested).")
    print("To publish, push the tag; the workflow `release` then builds and uploads:\n")
    print(f"    git push --atomic origin {BRANCH} {tag}\n")
    print(f"Without that workflow: twine upload dist/{tag}/*.whl dist/{tag}/*.tar.gz")


def _git(clone: Path, *words: str) -> str:
    done = subprocess.run(
        ["git", "-C", str(clone), *words], check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def _say(step: str) -> None:
    print(f"== {step} ==", flush=True)


if __name__ == "__main__":
    main()
