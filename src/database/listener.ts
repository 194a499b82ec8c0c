import { DatabaseClient } from './database-client.js';
import { withServerSettings } from './with-server-settings.js';
import pg = require('pg');

/** Options of a {@link Listener}. */
export interface ListenerOptions {
  readonly url: string;
  /**
   * What to call for each channel: for every notification, and for every connection or
   * reconnection, before which some may have been lost. `payload` is undefined for a connection.
   */
  readonly channels: Readonly<Record<string, (payload?: string) => void>>;
  /** Called once per lost or failed connection. The listener reconnects by itself. */
  readonly onError: (error: Error) => void;
}

const maxBackoffMs = 5_000;

/**
 * A connection that LISTENs. It only speeds things up: callers must find what it misses by
 * themselves, such as by polling.
 * It also signals on every reconnection, because notifications are lost while it is down.
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

  /** Closes the connection and stops reconnecting. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    await this.#client?.end().catch(() => undefined);
  }

  async #connect(): Promise<void> {
    const client = new DatabaseClient({
      connectionString: withServerSettings(this.#options.url),
      application_name: 'signalpost-listen',
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      connectionTimeoutMillis: 5_000,
      // Keepalive probes stop while a statement waits for its acknowledgement.
      query_timeout: 5_000,
    });

    this.#client = client;

    let failed = false;
    const fail = (error: Error) => {
      if (failed || this.#closed) return;
      failed = true;
      this.#options.onError(error);
      void client.end().catch(() => undefined);
      this.#retry = setTimeout(() => void this.#connect(), this.#pauseMs);
      this.#pauseMs = Math.min(this.#pauseMs * 2, maxBackoffMs);
    };

    client.on('error', fail);
    client.on('end', () => fail(new Error('The connection that listens for notifications ended.')));

    const { channels } = this.#options;
    client.on('notification', ({ channel, payload = '' }) => channels[channel]?.(payload));

    try {
      await client.connect();
      const names = Object.keys(channels).map((channel) => pg.escapeIdentifier(channel));
      await client.query(names.map((name) => `LISTEN ${name}`).join('; '));
      this.#pauseMs = 100;
      for (const onSignal of Object.values(channels)) onSignal();
    } catch (error) {
      fail(error as Error);
    }
  }
}
