"""Print what happens at a table: `python feed_reader.py ADDRESS`.

ADDRESS is that of the table's page, with its / at the end.
"""

import json
import sys
import time
import urllib.request


def main(address: str) -> None:
    """Read the feed, and connect again where it breaks off, until somebody presses Ctrl-C."""
    last = ""  # the last event that we had: the server goes on after it
    while True:
        request = urllib.request.Request(address + "feed", headers={"last-event-id": last})
        try:
            with urllib.request.urlopen(
                request, timeout=30
            ) as stream:  # a sign of life comes every 10 s
                kind = "message"
                for raw in stream:
                    field, _, value = raw.decode().rstrip("\n").partition(": ")
                    if field == "event":
                        kind = value
                    elif field == "id":
                        last = value
                    elif field == "data" and kind == "message":
                        print(json.loads(value)["text"], flush=True)
                    elif not field:
                        kind = "message"  # an empty line ends an event
        except OSError as problem:
            print(f"no connection: {problem}", file=sys.stderr, flush=True)
        time.sleep(1)


if __name__ == "__main__":
    main(sys.argv[1])
