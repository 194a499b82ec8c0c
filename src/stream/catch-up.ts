import type { Read } from '../domain/tx.js';
import { loadItems } from '../domain/stream/items.js';
import { type Bound, encodePosition, type StreamPosition } from '../domain/stream/position.js';
import { readPage } from '../domain/stream/changes.js';
import { isSameSnapshot, seesAllOf } from '../domain/stream/snapshot.js';
import { itemFrame, positionFrame } from './frames.js';
import type { StreamClient } from './stream-client.js';
import { boundOf, positionOf, type StreamFeed } from './stream-feed.js';

interface CatchUp {
  readonly read: Read;
  readonly feed: StreamFeed;
  readonly client: StreamClient;
  /** Makes the client one of those to which the feed delivers. */
  readonly join: () => void;
}

const pageSize = 100;
/** Items in memory for one client, at most. A body has at most 256 KiB. */
const loadSize = 10;

/**
 * Sends a client what follows its position, by account, until it meets the feed. It joins in the same
 * turn of the event loop, so that nothing comes between.
 * @param start undefined: from now on
 */
export async function catchUp(context: CatchUp, start: StreamPosition | undefined): Promise<void> {
  const { feed, client, join } = context;
  let position = start;

  // The feed may have rested. A client that begins now gets what is committed from now on.
  // The first may join a step that began before the client came; the second began after it.
  await feed.advance();
  await feed.advance();

  while (!client.ended) {
    const latest = feed.latest;
    if (!latest) {
      await feed.advance();
      continue;
    }

    position ??= positionOf(latest);

    if (position.database !== latest.database) {
      client.reset();
      return;
    }

    const { base, within } = position;
    if (!within && isSameSnapshot(base.snapshot, latest.snapshot)) {
      join();
      client.send(positionFrame(encodePosition(position)));
      return;
    }

    // Another process may have been further.
    if (!within && !seesAllOf(latest.snapshot, base.snapshot)) await feed.advance();
    else position = await sendPage(context, position, boundOf(latest));
  }
}

async function sendPage(
  { read, client }: CatchUp,
  position: StreamPosition,
  present: Bound,
): Promise<StreamPosition> {
  const page = await readPage(read, client.owner.account, position, present, pageSize);
  for (let start = 0; start < page.changes.length; start += loadSize) {
    const placed = page.changes.slice(start, start + loadSize);
    // Before it loads more: many clients may wait, each with what is loaded for it.
    await client.drained();
    if (client.ended) break;

    const items = await loadItems(
      read,
      placed.map(({ change }) => change),
    );

    for (const { change, position: behind } of placed) {
      await client.drained();
      const item = items.get(change.id);
      if (!item || !client.wants(item)) continue;
      client.send(itemFrame(item, encodePosition(behind), client.access));
    }
  }

  return page.position;
}
