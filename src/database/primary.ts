// Finds the primary among several hosts of a database.
//
// It asks all hosts when a connection fails, and every 2.5 seconds while connections are open, because a host may
// be promoted while the former primary still answers. When another host has become the primary, it breaks the
// connections to the former one. A former primary that still takes writes is never chosen while another host
// reports a higher timeline.
import dns from 'node:dns';
import { Socket } from 'node:net';
import { hostName, withServerSettings } from './address.js';
import pg = require('pg');

/** A connection to a host, which {@link Primary} closes when another host has become the primary. */
interface PrimaryClient {
  /** The URL of its host. */
  readonly url: string;
  /** Breaks the connection, and so every statement on it. */
  abandon(): void;
}

/** How often the hosts are asked while connections are open, in milliseconds. */
const checkMs = 2_500;

/** A host that does not answer within this time counts as away, in milliseconds. */
const answerMs = 1_000;

/** After a search that found no primary, the next one begins this many milliseconds later at the earliest. */
const pauseMs = 250;

/** SQLSTATE `cannot_connect_now`. */
const notNow = '57P03';
const known = new Map<string, Primary>();

/** Finds which of several hosts of a database takes writes. A process has one for each list of hosts. */
export class Primary {
  readonly #urls: readonly string[];
  readonly #clients = new Set<PrimaryClient>();
  /** Called with the host, when another one than before has become the primary. */
  onChange: (host: string) => void = () => undefined;
  #current: string | undefined;
  #latest: string | undefined;
  /** The timeline of the host that was used last. */
  #timeline = 0;
  /** The highest timeline that any host has reported. */
  #newest = 0;
  #search: Promise<string> | undefined;
  #failure: { readonly error: Error; readonly at: number } | undefined;
  #timer: NodeJS.Timeout | undefined;

  private constructor(urls: readonly string[]) {
    this.#urls = urls;
  }

  /** @param urls one for each host, with the settings of the connections that ask */
  static of(urls: readonly string[]): Primary {
    const key = urls.map((url) => url.replace(/\?.*$/s, '')).join();
    const primary = known.get(key) ?? new Primary(urls);
    known.set(key, primary);
    return primary;
  }

  /**
   * Returns the URL of the host that takes writes.
   * @throws Error with SQLSTATE 57P03 while there is none
   */
  async find(): Promise<string> {
    if (this.#current !== undefined) return this.#current;
    if (this.#failure && performance.now() - this.#failure.at < pauseMs) throw this.#failure.error;
    this.#search ??= this.#ask().finally(() => (this.#search = undefined));
    return this.#search;
  }

  /** Reports that a connection to `url` failed, so that the next one asks the hosts. */
  doubt(url: string): void {
    if (this.#current === url) this.#current = undefined;
  }

  /** Watches an open connection until it is removed. */
  add(client: PrimaryClient): void {
    this.#clients.add(client);
    // Another host may have become the primary while it connected.
    if (this.#current !== undefined && client.url !== this.#current) client.abandon();
    // The search stores what it finds; a search in vain leaves the connections as they are.
    this.#timer ??= setInterval(() => void this.#ask().catch(() => undefined), checkMs).unref();
  }

  remove(client: PrimaryClient): void {
    this.#clients.delete(client);
    if (this.#clients.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    // Without a check it may be a former primary by the time of the next connection.
    this.#current = undefined;
  }

  async #ask(): Promise<string> {
    const answers = await Promise.allSettled(this.#urls.map(stateOf));
    const hosts = answers.flatMap((answer) =>
      answer.status === 'fulfilled' ? [answer.value] : [],
    );
    const choice = choosePrimary(hosts, this.#newest);

    this.#newest = newestTimeline(hosts, this.#newest);

    if ('reason' in choice) {
      if (this.#timeline < this.#newest) this.#leave();
      const names = this.#urls.map((url, index) => hostName(url) + failureOf(answers[index]));
      const message = `PostgreSQL at ${names.join(', ')}: ${choice.reason}`;
      const error = Object.assign(new Error(message), { code: notNow });
      this.#failure = { error, at: performance.now() };
      throw error;
    }

    const { url, timeline } = choice.primary;
    this.#timeline = timeline;
    this.#current = url;
    if (this.#latest !== undefined && this.#latest !== url) this.onChange(hostName(url));
    this.#latest = url;
    for (const client of this.#clients) if (client.url !== url) client.abandon();

    return url;
  }

  /** Breaks all connections: they are to a former primary. */
  #leave(): void {
    this.#current = undefined;
    for (const client of this.#clients) client.abandon();
  }
}

/** The state that a host of the database reported. */
export interface HostState {
  readonly url: string;
  readonly isStandby: boolean;
  /** Grows with every promotion; 0 for a standby that cannot report it. */
  readonly timeline: number;
}

/** The host to use, or why there is none. */
type Choice = { readonly primary: HostState } | { readonly reason: string };

/**
 * Chooses the host that takes writes, unless another host is on a higher timeline. The promoted host and
 * its standbys are on a higher timeline than a former primary that still takes writes. So the former
 * primary is never chosen while one of them reports its timeline.
 * @param hosts those that answered
 * @param seenTimeline the highest timeline that any host has reported to this process
 */
export function choosePrimary(hosts: readonly HostState[], seenTimeline: number): Choice {
  const primaries = hosts.filter(({ isStandby }) => !isStandby);
  if (primaries.length === 0) return { reason: 'no host that answers takes writes' };
  const newest = newestTimeline(hosts, seenTimeline);
  const [primary, ...others] = primaries.filter(({ timeline }) => timeline === newest);
  if (!primary) return { reason: 'only a former primary takes writes' };
  if (others.length > 0) return { reason: 'several hosts take writes on the same timeline' };
  return { primary };
}

/** The highest timeline of these hosts and of `seenTimeline`. */
function newestTimeline(hosts: readonly HostState[], seenTimeline: number): number {
  return Math.max(seenTimeline, ...hosts.map(({ timeline }) => timeline));
}

const stateQuery = `
  select pg_is_in_recovery() as standby,
         case when not pg_is_in_recovery()
              then substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) end as timeline`;

/**
 * Only members of pg_read_all_stats see what the standby receives. The other two are of its latest
 * checkpoint and of the latest write of its pages, so they may be minutes behind a promotion.
 */
const standbyTimelineQuery = `
  select greatest((select received_tli from pg_stat_wal_receiver),
                  (select timeline_id from pg_control_checkpoint()),
                  (select min_recovery_end_timeline from pg_control_recovery())) as timeline`;

/** Asks one host. @throws Error when it does not answer in time */
export async function stateOf(url: string): Promise<HostState> {
  const client = new pg.Client({
    connectionString: withServerSettings(url),
    application_name: 'signalpost-primary',
    connectionTimeoutMillis: answerMs,
    query_timeout: answerMs,
    stream: () => new SharedLookupSocket(),
  });

  client.on('error', () => undefined);

  try {
    await client.connect();
    const { rows } = await client.query<{ standby: boolean; timeline: string | null }>(stateQuery);
    const { standby: isStandby, timeline } = rows[0] ?? { standby: true, timeline: null };
    if (isStandby) return { url, isStandby, timeline: await standbyTimeline(client) };
    return { url, isStandby, timeline: Number.parseInt(timeline ?? '0', 16) };
  } finally {
    void client.end().catch(() => undefined);
  }
}

/** Returns 0 if the standby does not report its timeline; the primary is still usable. */
async function standbyTimeline(client: pg.Client): Promise<number> {
  try {
    const { rows } = await client.query<{ timeline: number | null }>(standbyTimelineQuery);
    return rows[0]?.timeline ?? 0;
  } catch {
    return 0;
  }
}

/** Returns why a host did not answer, such as a wrong password; empty if it answered. */
function failureOf(answer: PromiseSettledResult<HostState> | undefined): string {
  if (answer?.status !== 'rejected') return '';
  const { message, code } = answer.reason as Error & { readonly code?: string };
  // One error for several addresses of a name has no message.
  return ` (${message || code || 'no answer'})`;
}

/**
 * A socket that looks a name up together with all others. Each lookup takes one of four threads of the
 * process until it ends, even when its caller has given up. A name server that does not answer would
 * soon hold all of them.
 */
export class SharedLookupSocket extends Socket {
  override connect(...values: unknown[]): this {
    const [port, host] = values;
    if (typeof port !== 'number' || typeof host !== 'string')
      return super.connect(...(values as [number, string]));
    return super.connect({ port, host, lookup: sharedLookup as typeof dns.lookup });
  }
}

type Callback = (...result: readonly unknown[]) => void;

/** Callers that wait for a lookup, by name and options. */
const waiting = new Map<string, Callback[]>();

function sharedLookup(name: string, options: dns.LookupAllOptions, callback: Callback): void {
  const key = JSON.stringify([name, options]);
  const callbacks = waiting.get(key);
  if (callbacks) {
    callbacks.push(callback);
    return;
  }

  waiting.set(key, [callback]);

  const answer = (...result: readonly unknown[]) => {
    const all = waiting.get(key) ?? [];
    waiting.delete(key);
    for (const callback of all) callback(...result);
  };
  try {
    dns.lookup(name, options, answer);
  } catch (error) {
    // It throws for options that it does not know.
    answer(error);
  }
}
