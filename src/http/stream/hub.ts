// The live streams of one process. One feed reads the database for all clients that have caught up, and writes each frame
// once. A client that resumes, or for which more waits than may stay in memory, leaves the feed, catches up at its own
// speed, and joins again.
//
// Each frame carries the position behind it. Whatever ends a stream (a crash, a stop, a slow client), the client resumes
// from its last position, at any process, and no item is skipped. What a client may read is
// looked up again every minute, and whenever PostgreSQL reports a change of credentials.
import type { ServerResponse } from 'node:http';
import { type PlacedChange, readPage } from '../../domain/stream/changes.js';
import { type StreamItem, loadItems } from '../../domain/stream/items.js';
import { encodePosition, type StreamPosition, type Bound } from '../../domain/stream/position.js';
import { isSameSnapshot, seesAllOf } from '../../domain/stream/snapshot.js';
import type { Read } from '../../domain/transaction/tx.js';
import {
  StreamClient,
  type StreamOwner,
  type StreamIntervals,
  streamIntervals,
  onDisconnect,
} from './client.js';
import { positionOf, StreamFeed, boundOf } from './feed.js';
import { type CutReason, itemFrame, positionFrame } from './frames.js';

export interface StreamHubOptions {
  /** Reads for all clients that have caught up; its connections are not those of other requests. */
  readonly read: Read;
  /** Reads for clients that catch up. */
  readonly catchUpRead: Read;
  /** Called with the first of several errors in a row. */
  readonly onError: (error: unknown) => void;
  readonly onCut: (reason: CutReason | 'reset') => void;
  /** Defaults to {@link streamIntervals}. */
  readonly intervals?: Partial<StreamIntervals>;
}

const busyMs = 100;
const idleMs = 250;
const retryMs = 1_000;
/** The feed takes at most two thirds of one connection's time. */
const restPerStep = 0.5;

/**
 * Serves the streams of one process: one reader of the database for all clients that have caught up.
 * Nothing runs while no client is there.
 */
export class StreamHub {
  readonly #options: StreamHubOptions;
  readonly #intervals: StreamIntervals;
  readonly #feed: StreamFeed;
  /** All clients. */
  readonly #clients = new Set<StreamClient>();
  /** The clients that have everything up to the latest snapshot of the feed, by account. */
  readonly #joined = new Map<string, Set<StreamClient>>();
  #timers: readonly NodeJS.Timeout[] = [];
  #failing = false;
  #rechecking = false;
  #recheckAgain = false;
  #closed = false;

  constructor(options: StreamHubOptions) {
    this.#options = options;
    this.#intervals = { ...streamIntervals, ...options.intervals };
    this.#feed = new StreamFeed(options.read, {
      accounts: () => [...this.#joined.keys()],
      deliver: (placed, item) => this.#deliver(placed, item),
      reset: () => {
        for (const client of this.#clients) client.reset();
      },
    });
  }

  /** Open streams, and how late a row can be; 0 without streams. */
  get status(): { readonly open: number; readonly lagSeconds: number } {
    const open = this.#clients.size;
    return { open, lagSeconds: open === 0 ? 0 : this.#feed.lagSeconds };
  }

  /**
   * Streams to a response whose headers were sent. Looks up the access of its owner once more: what
   * changed while the request was served was told to those that were open.
   * @param position undefined: from now on
   */
  open(response: ServerResponse, owner: StreamOwner, position: StreamPosition | undefined): void {
    const { onCut } = this.#options;
    const client = new StreamClient(response, owner, onCut, this.#intervals.drainMs);
    if (this.#closed) client.cut('shutting_down');
    if (client.ended) return;
    this.#clients.add(client);
    response.on('error', () => undefined);
    onDisconnect(response, () => this.#remove(client));
    if (this.#clients.size === 1) this.#start();
    void client.recheck();
    this.#catchUp(client, position);
  }

  /**
   * Looks up again what each client may read, and ends the streams of those that may read nothing. A
   * call during another makes that one begin again.
   */
  async recheck(): Promise<void> {
    this.#recheckAgain = true;
    if (this.#rechecking) return;
    this.#rechecking = true;
    while (this.#recheckAgain) {
      this.#recheckAgain = false;
      await recheckClients([...this.#clients]);
    }
    this.#rechecking = false;
  }

  /** Ends all streams; their clients resume at another process. */
  close(): void {
    this.#closed = true;
    for (const client of this.#clients) client.cut('shutting_down');
    this.#stop();
  }

  #start(): void {
    this.#timers = [
      setInterval(() => this.#beat(), this.#intervals.heartbeatMs),
      setInterval(() => void this.recheck(), this.#intervals.recheckMs),
    ];
    void this.#follow();
  }

  #stop(): void {
    for (const timer of this.#timers) clearInterval(timer);
    this.#timers = [];
  }

  async #follow(): Promise<void> {
    const timers = this.#timers;
    while (this.#timers === timers && this.#clients.size > 0) {
      const startedAt = performance.now();
      const waitMs = await this.#feed.advance().then(
        (moved) => {
          this.#failing = false;
          return moved ? busyMs : idleMs;
        },
        (error: unknown) => {
          this.#failed(error);
          return retryMs;
        },
      );

      const tookMs = performance.now() - startedAt;
      const restMs = Math.max(waitMs - tookMs, restPerStep * tookMs);
      await new Promise((resolve) => setTimeout(resolve, restMs));
    }
  }

  /** A client without room falls behind: it leaves the feed and gets the rest at its own speed. */
  #deliver({ change, before, position }: PlacedChange, item: StreamItem): number {
    const joined = this.#joined.get(change.account) ?? [];
    const clients = [...joined].filter((client) => client.wants(item));
    if (clients.length === 0) return 0;

    const id = encodePosition(position);
    const frames = new Map<boolean, Buffer>();
    let bytes = 0;

    for (const client of clients) {
      const { access } = client;
      let frame = frames.get(access.bodies);
      if (!frame) {
        frame = itemFrame(item, id, access);
        frames.set(access.bodies, frame);
        bytes += frame.length;
      }

      if (client.hasRoomFor(frame)) {
        client.send(frame);
      } else {
        this.#leave(client);
        this.#catchUp(client, before);
      }
    }

    return bytes;
  }

  #catchUp(client: StreamClient, position: StreamPosition | undefined): void {
    const { catchUpRead: read } = this.#options;
    const join = () => this.#join(client);
    catchUp({ read, feed: this.#feed, client, join }, position).catch((error: unknown) => {
      this.#failed(error);
      client.cut('database_unavailable');
    });
  }

  #join(client: StreamClient): void {
    const { account } = client.owner;
    const others = this.#joined.get(account);
    if (others) others.add(client);
    else this.#joined.set(account, new Set([client]));
  }

  #leave(client: StreamClient): void {
    const { account } = client.owner;
    const others = this.#joined.get(account);
    others?.delete(client);
    if (others?.size === 0) this.#joined.delete(account);
  }

  #remove(client: StreamClient): void {
    this.#clients.delete(client);
    this.#leave(client);
    if (this.#clients.size === 0) this.#stop();
  }

  #beat(): void {
    const latest = this.#feed.latest;
    const frame = latest && positionFrame(encodePosition(positionOf(latest)));
    for (const client of this.#clients) {
      const joined = this.#joined.get(client.owner.account)?.has(client);
      if (frame && joined) client.send(frame);
      else client.beat();
    }
  }

  #failed(error: unknown): void {
    if (!this.#failing) this.#options.onError(error);
    this.#failing = true;
  }
}

const atOnce = 10;

/** Looks up what each client may read now, and cuts those that may read nothing. */
async function recheckClients(clients: readonly StreamClient[]): Promise<void> {
  for (let start = 0; start < clients.length; start += atOnce) {
    await Promise.all(clients.slice(start, start + atOnce).map((client) => client.recheck()));
  }
}

interface CatchUpContext {
  readonly read: Read;
  readonly feed: StreamFeed;
  readonly client: StreamClient;
  /** Adds the client to those to which the feed delivers. */
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
async function catchUp(context: CatchUpContext, start: StreamPosition | undefined): Promise<void> {
  const { feed, client, join } = context;
  let position = start;

  // The feed may have rested, and a client that begins now gets what is committed from now on. So the feed advances
  // twice: the first call may join a step that began before the client came, the second begins after it.
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

    // The client may come from another process that had read further.
    if (!within && !seesAllOf(latest.snapshot, base.snapshot)) await feed.advance();
    else position = await sendPage(context, position, boundOf(latest));
  }
}

async function sendPage(
  { read, client }: CatchUpContext,
  position: StreamPosition,
  present: Bound,
): Promise<StreamPosition> {
  const page = await readPage(read, client.owner.account, position, present, pageSize);
  for (let start = 0; start < page.changes.length; start += loadSize) {
    const placed = page.changes.slice(start, start + loadSize);
    // Waits before it loads more, because many clients may wait, each with what was loaded for it in memory.
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
