/** What the attempts of one account to one host hold together. */
interface HostState {
  held: number;
  /** Slots whose attempts have started. */
  started: number;
}

/**
 * The slots of a lane by account and host: a thousand endpoints may name one foreign host.
 *
 * - While a host has no free slot, claims pass the endpoints that the process knows there.
 * - A claim may bring more of a host than is free, because it finds endpoints and not hosts. Their
 *   attempts start in the order of the claims, each when another one ends.
 *
 * A host has a key, see {@link keyOf}. Undefined stands for a host without a limit.
 */
export class HostSlots {
  readonly #limit: number;
  readonly #isLimited: boolean;
  readonly #hosts = new Map<string, HostState>();

  /**
   * @param limit attempts in flight of one account to one host, at most
   * @param slots attempts in flight in all; a limit that is no lower costs nothing
   */
  constructor(limit: number, slots: number) {
    this.#limit = limit;
    this.#isLimited = limit < slots;
  }

  /** The key of the host that `url` names. Ports and paths do not count: anyone can add another. */
  keyOf(accountId: string, url: string | undefined): string | undefined {
    if (!this.#isLimited || url === undefined) return undefined;
    return `${accountId} ${new URL(url).hostname.replace(/\.$/, '')}`;
  }

  /** Takes slots. */
  acquire(key: string | undefined, held = 1, started = 0): void {
    if (key === undefined) return;
    const host = this.#hosts.get(key) ?? { held: 0, started: 0 };
    this.#hosts.set(key, host);
    host.held += held;
    host.started += started;
  }

  /** Free slots of a host. */
  free(key: string | undefined): number {
    if (key === undefined) return Infinity;
    return Math.max(0, this.#limit - (this.#hosts.get(key)?.held ?? 0));
  }

  /** Whether an attempt may start, for which a slot is held. */
  mayStart(key: string | undefined): boolean {
    return key === undefined || (this.#hosts.get(key)?.started ?? 0) < this.#limit;
  }

  /** Notes that an attempt starts, for which a slot is held. */
  started(key: string | undefined): void {
    const host = key === undefined ? undefined : this.#hosts.get(key);
    if (host) host.started += 1;
  }

  /** Releases slots. @returns whether the host had no free slot */
  release(key: string | undefined, held = 1, started = 0): boolean {
    const host = key === undefined ? undefined : this.#hosts.get(key);
    if (key === undefined || !host) return false;
    const wasFull = host.held >= this.#limit;
    host.held -= held;
    host.started -= started;
    if (host.held === 0) this.#hosts.delete(key);
    return wasFull;
  }
}
