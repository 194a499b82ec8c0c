import { withServerSettings } from './with-server-settings.js';
import pg = require('pg');

/** Where {@link Listener} listens and whom it tells. */
export interface ListenerOptions {
  readonly url: string;
  readonly channel: string;
  /** Told of every notification, and of every (re)connection since some may have been missed. */
  readonly onSignal: () => void;
  /** Told once per lost or failed connection; the listener tries again by itself. */
  readonly onError: (error: Error) => void;
}

const maxPauseMs = 5_000;

/**
 * One connection that LISTENs. Speed, not truth: what it misses while it is away must be found by
 * reading, so it signals on every reconnection too.
 */
export class Listener {
  readonly #options: ListenerOptions;
  #client: pg.Client | undefined;
  #retry: NodeJS.Timeout | undefined;
  #pauseMs = 100;
  #closed = false;

  constructor(options: ListenerOptions) {
    this.#options = options;
    void this.#connect();
  }

  /** Ends the connection and every further attempt to make one. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    await this.#client?.end().catch(() => undefined);
  }

  async #connect(): Promise<void> {
    const client = new pg.Client({
      connectionString: withServerSettings(this.#options.url),
      application_name: 'signalpost-listen',
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      connectionTimeoutMillis: 5_000,
    });
    this.#client = client;
    let failed = false;
    const fail = (error: Error) => {
      if (failed || this.#closed) return;
      failed = true;
      this.#options.onError(error);
      void client.end().catch(() => undefined);
      this.#retry = setTimeout(() => void this.#connect(), this.#pauseMs);
      this.#pauseMs = Math.min(this.#pauseMs * 2, maxPauseMs);
    };
    client.on('error', fail);
    client.on('end', () => fail(new Error('the listening connection ended')));
    client.on('notification', () => this.#options.onSignal());
    try {
      await client.connect();
      await client.query(`LISTEN ${pg.escapeIdentifier(this.#options.channel)}`);
      this.#pauseMs = 100;
      this.#options.onSignal();
    } catch (error) {
      fail(error as Error);
    }
  }
}
