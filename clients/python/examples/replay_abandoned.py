"""Replays the deliveries after which no attempt follows.

SIGNALPOST_URL=https://… SIGNALPOST_API_KEY=sk_live_… python replay_abandoned.py

Each replay has the same key whenever this runs: within 24 hours it is made once.
"""

import os
import sys

from signalpost import Client, Problem


def main() -> None:
    with Client(os.environ["SIGNALPOST_URL"], os.environ["SIGNALPOST_API_KEY"]) as client:
        for delivery in client.webhooks.deliveries.list(status="abandoned", limit=100):
            id = delivery["id"]
            try:
                replay = client.webhooks.deliveries.replay(id, idempotency_key=f"replay-{id}")
                print(id, replay["status"])
            except Problem as problem:
                print(id, problem, file=sys.stderr)


if __name__ == "__main__":
    main()
