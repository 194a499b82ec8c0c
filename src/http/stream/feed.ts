import {
  type AccountReader,
  orderKey,
  readChanges,
  placeChanges,
  type PlacedChange,
  positionWithin,
} from '../../domain/stream/changes.js';
import { loadItems, type StreamItem } from '../../domain/stream/items.js';
import type { Bound, StreamPosition } from '../../domain/stream/position.js';
import {
  firstTimedSnapshot,
  type TimedSnapshot,
  nextTimedSnapshot,
  unseenSince,
  writtenSince,
  oldestWriter,
  readServerState,
  isSameSnapshot,
} from '../../domain/stream/snapshot.js';
import type { Read } from '../../domain/transaction/tx.js';

/** Who gets what a feed reads. */
interface FeedListener {
  /** The accounts with clients. */
  readonly accounts: () => readonly string[];
  /** @returns the bytes of its frame; 0 if no client gets it */
  readonly deliver: (placed: PlacedChange, item: StreamItem) => number;
  /** Called when another database answers, so that no position is valid any more. */
  readonly reset: () => void;
}

/** A difference that is being read, and how far. */
interface Unfinished {
  readonly later: TimedSnapshot;
  readers: readonly AccountReader[];
}

/** Rows of one account in one statement, at most. */
const pageSize = 100;
/** Items in memory at once, at most. A body has at most 256 KiB. */
const loadSize = 100;
/** After this many bytes of frames, sockets and other requests get a turn. */
const turnBytes = 131_072;

/**
 * Follows the database for all accounts with clients: each step reads what was committed since the
 * last one. A step that failed goes on where it ended, so nothing is delivered twice.
 */
export class StreamFeed {
  readonly #read: Read;
  readonly #listener: FeedListener;
  readonly #now: () => number;
  #latest: TimedSnapshot | undefined;
  #unfinished: Unfinished | undefined;
  #advancing: Promise<boolean> | undefined;

  constructor(read: Read, listener: FeedListener, now = () => performance.now()) {
    this.#read = read;
    this.#listener = listener;
    this.#now = now;
  }

  /** The snapshot up to which all was delivered; undefined during a step, and before the first. */
  get latest(): TimedSnapshot | undefined {
    return (this.#advancing ?? this.#unfinished) ? undefined : this.#latest;
  }

  /** Seconds by which the newest row that may be missing is late. */
  get lagSeconds(): number {
    const latest = this.#latest;
    if (!latest) return 0;
    return (this.#now() - latest.seenAt + latest.at - unseenSince(latest)) / 1_000;
  }

  /**
   * Takes one step; calls during a step wait for it.
   * @returns whether something was committed since the last one
   */
  advance(): Promise<boolean> {
    this.#advancing ??= this.#step().finally(() => (this.#advancing = undefined));
    return this.#advancing;
  }

  async #step(): Promise<boolean> {
    if (!this.#unfinished) {
      const state = await readServerState(this.#read);
      const seenAt = this.#now();
      const earlier = this.#latest;
      if (earlier?.database !== state.database || state.snapshot.xmax < earlier.snapshot.xmax) {
        const oldest = await oldestWriter(this.#read);
        if (earlier) this.#listener.reset();
        this.#latest = firstTimedSnapshot(state, seenAt, oldest);
        return true;
      }

      const later = nextTimedSnapshot(earlier, state, seenAt);
      if (isSameSnapshot(earlier.snapshot, later.snapshot)) {
        this.#latest = later;
        return false;
      }

      const readers = this.#listener.accounts().map((account) => ({ account, after: '' }));
      this.#unfinished = { later, readers };
    }

    await this.#finish(this.#unfinished);
    return true;
  }

  async #finish(unfinished: Unfinished): Promise<void> {
    const earlier = this.#latest;
    const { later } = unfinished;

    if (!earlier) throw new Error('A difference has two snapshots.');

    const difference = {
      base: earlier.snapshot,
      target: later.snapshot,
      since: writtenSince(earlier, later),
    };

    const from = { database: earlier.database, base: boundOf(earlier) };

    while (unfinished.readers.length > 0) {
      const readers = unfinished.readers;
      const changesByAccount = await readChanges(this.#read, readers, difference, pageSize);
      const target = boundOf(later);
      const placed = readers.flatMap(({ account, after }) => {
        const changes = changesByAccount.get(account) ?? [];
        const start = positionWithin(from, target, after);
        return placeChanges(start, target, changes, changes.length < pageSize).changes;
      });
      for (let start = 0; start < placed.length; start += loadSize) {
        await this.#deliver(placed.slice(start, start + loadSize), unfinished);
      }

      unfinished.readers = unfinished.readers.filter(
        ({ account }) => changesByAccount.get(account)?.length === pageSize,
      );
    }

    this.#latest = later;
    this.#unfinished = undefined;
  }

  async #deliver(placed: readonly PlacedChange[], unfinished: Unfinished): Promise<void> {
    const items = await loadItems(
      this.#read,
      placed.map(({ change }) => change),
    );

    const delivered = new Map<string, string>();
    let bytes = 0;

    for (const placedChange of placed) {
      const { change } = placedChange;
      const item = items.get(change.id);
      if (item) bytes += this.#listener.deliver(placedChange, item);
      delivered.set(change.account, orderKey(change));
      if (bytes < turnBytes) continue;
      bytes = 0;
      await new Promise((resolve) => setImmediate(resolve));
    }

    unfinished.readers = unfinished.readers.map((reader) => ({
      ...reader,
      after: delivered.get(reader.account) ?? reader.after,
    }));
  }
}

/** The bound of a snapshot, for positions. */
export function boundOf(timed: TimedSnapshot): Bound {
  return { snapshot: timed.snapshot, since: unseenSince(timed) };
}

/** The position of a client that has all that the snapshot sees. */
export function positionOf(timed: TimedSnapshot): StreamPosition {
  return { database: timed.database, base: boundOf(timed) };
}
