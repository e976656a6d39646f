"""A call that comes again and again does not change how the program ends."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = """
import sys, time
from companion.system.signals import call_every

class EndsSlowly:
    def __del__(self, sleep=time.sleep):
        sleep(0.2)  # the interpreter has dropped its signal handlers by now

last = EndsSlowly()
call_every(0.02, lambda: None)
sys.exit(7)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no such timer there")
def test_a_program_whose_interpreter_ends_slowly_keeps_its_exit_code() -> None:
    ended = subprocess.run([sys.executable, "-c", PROGRAM], timeout=60, check=False)
    assert ended.returncode == 7
