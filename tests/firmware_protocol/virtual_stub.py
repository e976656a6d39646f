"""Stands where the firmware's process stands: echoes the wire, answers each batch of edges; run as a script."""

import json
import os
import select
import socket
import sys

BASE_US = 5_000_000


def main() -> None:
    given = dict(argument.split("=", 1) for argument in sys.argv[1:])
    control = socket.create_connection(("127.0.0.1", int(given["control"])))
    wire = None
    reader, writer = 0, 1
    answers = control.fileno()
    if given["wire"] != "stdio":
        wire = socket.create_connection(("127.0.0.1", int(given["wire"].partition(":")[2])))
        reader = writer = wire.fileno()
    partial = b""
    while True:
        ready, _, _ = select.select([answers, reader], [], [])
        if reader in ready:
            os.write(writer, os.read(reader, 4096))
        if answers in ready:
            data = control.recv(4096)
            if not data:
                return
            *lines, partial = (partial + data).split(b"\n")
            for line in lines:
                control.sendall(
                    json.dumps({"id": json.loads(line)["id"], "base_us": BASE_US}).encode() + b"\n"
                )


if __name__ == "__main__":
    main()
