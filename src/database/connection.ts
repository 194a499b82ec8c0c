// The connections to PostgreSQL: the client that every pool uses, and the one that listens for notifications.
import { hostUrls, withServerSettings } from './address.js';
import { Primary, SharedLookupSocket } from './primary.js';
import pg = require('pg');

/** Members of a pg client that its types do not declare. */
interface Internals {
  readonly connection: {
    readonly stream: { destroy(): void };
    on(event: 'parameterStatus', listener: (status: ParameterStatus) => void): void;
    on(event: 'errorMessage', listener: (error: { readonly code?: string }) => void): void;
    emit(event: 'error', error: Error): void;
  };
}

interface ParameterStatus {
  readonly parameterName: string;
  readonly parameterValue: string;
}

/** The function of PostgreSQL that waits for a synchronous standby, as its notices name it. */
const standbyWait = 'SyncRepWaitForLSN';

/** A host that drops packets must not use up the time in which another could answer. */
const severalHostsTimeoutMs = 2_000;

/**
 * A connection to PostgreSQL: a client of pg with two additions.
 * - The URL may name several hosts. It connects to the one that takes writes, and breaks when another
 *   host has become the primary ({@link Primary}).
 * - A commit whose wait for the synchronous standby was cancelled fails with SQLSTATE 08007, because
 *   the standby may lack it. PostgreSQL reports success with a warning.
 */
export class DatabaseClient extends pg.Client {
  readonly #primary: Primary | undefined;
  #url: string;

  constructor(config: pg.ClientConfig = {}) {
    const urls = hostUrls(config.connectionString ?? '');
    const [first, ...others] = urls;
    const timeout = config.connectionTimeoutMillis ?? severalHostsTimeoutMs;
    super({
      ...config,
      connectionString: first,
      stream: () => new SharedLookupSocket(),
      ...(others.length > 0 && {
        connectionTimeoutMillis: Math.min(timeout, severalHostsTimeoutMs),
      }),
    });

    this.#url = first;
    this.#primary = others.length > 0 ? Primary.of(urls) : undefined;

    this.on('notice', ({ routine }) => {
      // Fails at once, before pg reads the success that follows in the same packet.
      if (routine === standbyWait) this.#internals.connection.emit('error', unsureCommit());
    });
  }

  /** The URL of its host. */
  get url(): string {
    return this.#url;
  }

  /** Breaks the connection, and so every statement on it. */
  abandon(): void {
    this.#internals.connection.stream.destroy();
  }

  /** Calls `listener` with the SQLSTATE of each error that PostgreSQL sends on this connection. */
  onServerError(listener: (sqlState: string) => void): void {
    this.#internals.connection.on('errorMessage', ({ code }) => {
      if (code !== undefined) listener(code);
    });
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): Promise<pg.Client> | void {
    const primary = this.#primary;
    if (!primary) {
      if (!callback) return super.connect();
      super.connect(callback);
      return;
    }
    const connected = this.#connectTo(primary);
    if (!callback) return connected;
    // In a microtask of its own, an error that the callback throws is not taken for ours.
    const call = (error?: unknown) => queueMicrotask(() => callback(error as Error));
    connected.then(() => call(), call);
  }

  async #connectTo(primary: Primary): Promise<pg.Client> {
    this.#url = await primary.find();

    const { hostname, port } = new URL(this.#url);
    this.host = hostname.replace(/^\[|\]$/g, '');
    this.port = Number(port || '5432');

    const statuses = new Map<string, string>();
    this.#internals.connection.on('parameterStatus', ({ parameterName, parameterValue }) => {
      statuses.set(parameterName, parameterValue);
    });

    // An error between the response and the listener of the caller would end the process.
    this.on('error', () => undefined);

    try {
      await super.connect();
    } catch (error) {
      primary.doubt(this.#url);
      throw error;
    }

    if (statuses.get('in_hot_standby') === 'on') {
      primary.doubt(this.#url);
      void this.end().catch(() => undefined);
      throw Object.assign(new Error('The host is a standby.'), { code: '57P03' });
    }

    this.once('end', () => primary.remove(this));
    primary.add(this);

    return this;
  }

  get #internals(): Internals {
    return this;
  }
}

function unsureCommit(): Error {
  const message = 'The wait for the synchronous standby was cancelled: the commit may be lost.';
  return Object.assign(new Error(message), { code: '08007' });
}

/** Options of a {@link NotificationListener}. */
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
 * A connection that LISTENs. It only speeds things up: callers must find what it misses, for example by
 * polling. It calls every channel after each reconnection, because notifications are lost while it is down.
 */
export class NotificationListener {
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
      for (const notify of Object.values(channels)) notify();
    } catch (error) {
      fail(error as Error);
    }
  }
}
