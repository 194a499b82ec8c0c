import type { TLSSocket } from 'node:tls';
import { NameNotResolved, type ResolvedAddress } from './resolve.js';

/** How long an attempt is alone before the next one begins beside it, in milliseconds. */
const attemptDelayMs = 500;
/** Attempts at a time: a name with many silent addresses must not use up the sockets of a worker. */
const maxAttempts = 4;

/**
 * Connects to the addresses of a host, one after the other, until one of them accepts (RFC 8305
 * section 5). A silent attempt goes on while later ones begin, and may still win. An attempt that
 * fails makes the next one begin at once. With more than {@link maxAttempts} silent ones the oldest
 * is given up. Families take turns. The race has no timeout: its owner cancels it.
 */
export class ConnectionRace {
  readonly #connect: (address: string) => TLSSocket;
  readonly #done: (end: TLSSocket | Error) => void;
  readonly #attempts = new Set<TLSSocket>();
  readonly #waiting: ResolvedAddress[] = [];
  #isComplete = false;
  #lastFamily: 4 | 6 | undefined;
  #lastBegan = 0;
  #nextAttempt: NodeJS.Timeout | undefined;
  #firstError: Error | undefined;
  #ended = false;

  /**
   * @param connect begins to connect to an address
   * @param done called once, unless the race is cancelled: with the socket that connected first, or
   *   with the first error when all attempts failed
   */
  constructor(connect: (address: string) => TLSSocket, done: (end: TLSSocket | Error) => void) {
    this.#connect = connect;
    this.#done = done;
  }

  /**
   * Adds addresses.
   * @param isLast whether no others follow; until then the race does not fail
   */
  add(addresses: readonly ResolvedAddress[], isLast: boolean): void {
    this.#waiting.push(...addresses);
    this.#isComplete = isLast;
    this.#continue();
  }

  /** Ends the race with an error, unless it has ended. */
  fail(error: Error): void {
    this.#end(error);
  }

  /** Ends the race without a call of `done`, unless it has ended. */
  cancel(): void {
    this.#ended = true;
    clearTimeout(this.#nextAttempt);
    for (const socket of this.#attempts) abandon(socket);
    this.#attempts.clear();
  }

  #continue(): void {
    if (this.#ended) return;
    if (this.#attempts.size === 0 && this.#waiting.length > 0) {
      this.#beginNext();
    } else if (this.#waiting.length > 0) {
      const delayMs = this.#lastBegan + attemptDelayMs - performance.now();
      this.#nextAttempt ??= setTimeout(() => this.#beginNext(), Math.max(0, delayMs));
    } else if (this.#attempts.size === 0 && this.#isComplete) {
      this.#end(this.#firstError ?? new NameNotResolved('The name has no address.'));
    }
  }

  #beginNext(): void {
    clearTimeout(this.#nextAttempt);
    this.#nextAttempt = undefined;
    const next = this.#takeNext();
    if (!next) return;

    const [oldest] = this.#attempts;
    if (oldest && this.#attempts.size === maxAttempts) {
      this.#attempts.delete(oldest);
      abandon(oldest);
    }

    const socket = this.#connect(next.address);
    this.#attempts.add(socket);
    this.#lastFamily = next.family;
    this.#lastBegan = performance.now();
    socket.once('connect', () => this.#win(socket));
    socket.once('error', (error: Error) => this.#lose(socket, error));
    this.#continue();
  }

  #takeNext(): ResolvedAddress | undefined {
    const other = this.#waiting.findIndex(({ family }) => family !== this.#lastFamily);
    const [next] = this.#waiting.splice(Math.max(0, other), 1);
    return next;
  }

  #win(socket: TLSSocket): void {
    if (!this.#attempts.delete(socket)) return;
    this.#end(socket);
  }

  #lose(socket: TLSSocket, error: Error): void {
    if (!this.#attempts.delete(socket)) return;
    this.#firstError ??= error;
    if (this.#waiting.length > 0) this.#beginNext();
    else this.#continue();
  }

  #end(end: TLSSocket | Error): void {
    if (this.#ended) return;
    this.cancel();
    this.#done(end);
  }
}

function abandon(socket: TLSSocket): void {
  socket.on('error', () => undefined).destroy();
}
