import { explainError } from './explain-error.js';
import type { Logger } from './log.js';

/** Stops a part of the process; a promise is waited for. Called at most once. */
type Stop = () => unknown;

/** One Ctrl-C may arrive twice: from the terminal and from npm. */
const duplicateSignalMs = 1_000;

/**
 * The life of one process. It starts parts in order. On SIGTERM, SIGINT or the end of its parent it
 * stops them in reverse. It exits with 1 at once on:
 * - another signal at least a second later,
 * - a stop that takes longer than `limitMs`,
 * - an uncaught exception.
 */
export class Lifecycle {
  readonly #log: Logger;
  readonly #limitMs: number;
  readonly #parts: { name: string; stop: Stop }[] = [];
  #stopping: Promise<void> | undefined;
  #stopRequestedAt = 0;

  /** @param limitMs longest stop in milliseconds; then the process exits with 1 */
  constructor(log: Logger, limitMs: number) {
    this.#log = log;
    this.#limitMs = limitMs;
  }

  /** True from the first request to stop; readiness becomes false at the same time. */
  get stopping(): boolean {
    return this.#stopping !== undefined;
  }

  /** Registers a part to stop. Parts stop in reverse order of registration. */
  onStop(name: string, stop: Stop): void {
    this.#parts.push({ name, stop });
  }

  /** Listens for signals and for the end of the parent process. */
  watchSignals(): void {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        if (this.stopping) this.#forceExit(signal);
        else void this.#shutDown(signal, 0);
      });
    }
    if (process.channel) {
      process.on('disconnect', () => void this.#shutDown('the parent process ended', 0));
    }
    for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
      process.on(event, (error: unknown) => this.#crash(event, error));
    }
  }

  /** Reports `addresses` to the log and, if there is one, to the launcher. */
  ready(addresses: Readonly<Record<string, string>>): void {
    this.#log.info(addresses, 'ready');
    process.send?.({ ready: addresses });
  }

  /** Reports a failed start, stops what was started and exits with 1. */
  fail(error: unknown): void {
    const reason = explainError(error);
    this.#log.fatal(reason === undefined ? { err: error } : { reason }, 'could not start');
    void this.#shutDown('could not start', 1);
  }

  /** Stops every part in reverse order. A second call waits for the same stop. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stopAll();
    return this.#stopping;
  }

  async #stopAll(): Promise<void> {
    for (const { name, stop } of this.#parts.toReversed()) {
      this.#log.debug({ part: name }, 'stopping');
      try {
        await stop();
      } catch (error) {
        this.#log.error({ err: error, part: name }, 'could not stop');
      }
    }
  }

  #forceExit(signal: string): void {
    if (performance.now() - this.#stopRequestedAt < duplicateSignalMs) return;
    this.#log.fatal({ signal }, 'stopped immediately');
    process.exit(1);
  }

  // An uncaught error leaves unknown state, which may include data being sent. So the process
  // writes nothing more. Its claims count as interrupted when their leases end.
  #crash(event: string, error: unknown): never {
    this.#log.fatal({ err: error, event }, 'exiting immediately');
    process.exit(1);
  }

  async #shutDown(reason: string, code: number): Promise<void> {
    if (this.stopping) return;
    this.#stopRequestedAt = performance.now();
    this.#log.info({ reason }, 'stopping');
    const limit = setTimeout(() => {
      this.#log.fatal({ limitMs: this.#limitMs }, 'could not stop in time');
      process.exit(1);
    }, this.#limitMs);
    limit.unref();
    await this.stop();
    this.#log.info('stopped');
    process.exit(code);
  }
}
