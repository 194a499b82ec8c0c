import { setTimeout as pause } from 'node:timers/promises';
import { errorMessage } from '../../src/process/explain-error.js';
import { acquirePostgres, type PostgresHandle } from './embedded-postgres.js';
import { printWaits } from './file-lock.js';

const maxDelayMs = 5_000;

/** The embedded PostgreSQL of a DATA_DIR; restarts whenever it ends without being asked to. */
export class SupervisedPostgres {
  readonly #dataDir: string;
  readonly #print: (line: string) => void;
  readonly #stopping = new AbortController();
  #handle: PostgresHandle;
  #supervision: Promise<void>;
  #onAddressChanged: () => Promise<unknown> = () => Promise.resolve();

  private constructor(dataDir: string, handle: PostgresHandle, print: (line: string) => void) {
    this.#dataDir = dataDir;
    this.#print = print;
    this.#handle = handle;
    this.adopted = !handle.startedHere;
    this.lost = handle.broken;
    this.#supervision = this.#supervise();
  }

  /** The URL of the database. */
  get databaseUrl(): string {
    return this.#handle.databaseUrl;
  }

  /** True when it was already running, as after a killed launcher. */
  readonly adopted: boolean;

  /** Starts PostgreSQL or adopts the running server. */
  static async start(
    dataDir: string,
    print: (line: string) => void,
    signal: AbortSignal,
  ): Promise<SupervisedPostgres> {
    const onWait = printWaits(print);
    const handle = await acquirePostgres(dataDir, 'launcher', { signal, onWait });
    const { port } = new URL(handle.databaseUrl);
    print(
      `PostgreSQL ${handle.startedHere ? 'runs' : 'was already running'} on 127.0.0.1:${port}.`,
    );
    for (const notice of handle.notices) print(notice);
    return new SupervisedPostgres(dataDir, handle, print);
  }

  /** Resolves when the first server ends without being asked to; never after {@link leave}. */
  readonly lost: Promise<void>;

  /** Sets the action for a PostgreSQL that comes back on another port. */
  onAddressChange(onAddressChanged: () => Promise<unknown>): void {
    this.#onAddressChanged = onAddressChanged;
  }

  /**
   * Disconnects; PostgreSQL stops when no other process of Signalpost is connected.
   * @param hurry ends the wait for its stop
   */
  async leave(hurry: AbortSignal): Promise<void> {
    this.#stopping.abort();
    await this.#supervision;
    await this.#handle.leave(hurry);
  }

  async #supervise(): Promise<void> {
    const { signal } = this.#stopping;
    const stopRequested = new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    for (;;) {
      await Promise.race([this.#handle.broken, stopRequested]);
      if (signal.aborted) return;
      this.#print('PostgreSQL ended or was asked to stop; restarting it.');
      await this.#restartPostgres(signal);
    }
  }

  async #restartPostgres(signal: AbortSignal): Promise<void> {
    const before = this.#handle.databaseUrl;
    for (let delayMs = 250; !signal.aborted; delayMs = Math.min(delayMs * 2, maxDelayMs)) {
      try {
        const onWait = printWaits(this.#print);
        this.#handle = await acquirePostgres(this.#dataDir, 'launcher', { signal, onWait });
        this.#print('PostgreSQL is back.');
        if (this.#handle.databaseUrl !== before) await this.#onAddressChanged();
        return;
      } catch (error) {
        if (this.#stopping.signal.aborted) return;
        this.#print(`PostgreSQL could not be started: ${errorMessage(error)}`);
        await pause(delayMs, undefined, { signal }).catch(() => undefined);
      }
    }
  }
}
