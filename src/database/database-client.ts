import { hostUrls } from './database-hosts.js';
import { Primary } from './primary.js';
import { SharedLookupSocket } from './shared-lookup.js';
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
 * Every connection to PostgreSQL: as a client of pg, with two additions.
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
      // At once, before pg reads the success that follows in the same packet.
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
    // An error that the callback throws is its own.
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
