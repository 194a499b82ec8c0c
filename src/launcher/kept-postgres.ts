import { setTimeout as pause } from 'node:timers/promises';
import { joinPostgres, type Presence } from './embedded-postgres.js';

const longestDelayMs = 10_000;

/** The embedded PostgreSQL of a DATA_DIR, started again whenever it ends unasked. */
export class KeptPostgres {
  readonly #dataDir: string;
  readonly #say: (line: string) => void;
  readonly #leaving = new AbortController();
  #presence: Presence;
  #keeping: Promise<void>;
  #moved: () => Promise<unknown> = () => Promise.resolve();

  private constructor(dataDir: string, presence: Presence, say: (line: string) => void) {
    this.#dataDir = dataDir;
    this.#say = say;
    this.#presence = presence;
    this.adopted = !presence.startedHere;
    this.#keeping = this.#keep();
  }

  /** True when it ran already, as after a launcher that was killed. */
  readonly adopted: boolean;

  /** Starts or adopts it. */
  static async start(dataDir: string, say: (line: string) => void): Promise<KeptPostgres> {
    const presence = await joinPostgres(dataDir, 'launcher');
    const { port } = new URL(presence.databaseUrl);
    say(
      `PostgreSQL ${presence.startedHere ? 'runs' : 'was already running'} on 127.0.0.1:${port}.`,
    );
    for (const remark of presence.remarks) say(remark);
    return new KeptPostgres(dataDir, presence, say);
  }

  /** Sets what must happen when it comes back at another address. */
  onMove(moved: () => Promise<unknown>): void {
    this.#moved = moved;
  }

  /** Lets go of it; it stops unless somebody else of ours is connected. */
  async leave(): Promise<void> {
    this.#leaving.abort();
    await this.#keeping;
    await this.#presence.leave();
  }

  async #keep(): Promise<void> {
    const { signal } = this.#leaving;
    const asked = new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    for (;;) {
      await Promise.race([this.#presence.broken, asked]);
      if (signal.aborted) return;
      this.#say('PostgreSQL ended unexpectedly; restarting it.');
      await this.#comeBack(signal);
    }
  }

  async #comeBack(signal: AbortSignal): Promise<void> {
    const before = this.#presence.databaseUrl;
    for (let delayMs = 250; !signal.aborted; delayMs = Math.min(delayMs * 2, longestDelayMs)) {
      try {
        this.#presence = await joinPostgres(this.#dataDir, 'launcher');
        this.#say('PostgreSQL is back.');
        if (this.#presence.databaseUrl !== before) await this.#moved();
        return;
      } catch (error) {
        this.#say(`PostgreSQL could not be started: ${(error as Error).message}`);
        await pause(delayMs, undefined, { signal }).catch(() => undefined);
      }
    }
  }
}
