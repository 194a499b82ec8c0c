import { explainError } from './explain-error.js';
import type { Logger } from './log.js';

/** Ends a part of the process; may be called once. */
type Stop = () => Promise<void>;

/** One Ctrl-C may arrive twice, from the terminal and from npm. */
const duplicateSignalMs = 1_000;

/**
 * The life of one process: parts are started in order and stopped in reverse, on SIGTERM, SIGINT or
 * when the channel to the parent closes. Another signal a second or more later, `limitMs`, or an
 * exception that nobody caught ends it at once with exit 1.
 */
export class Lifecycle {
  readonly #log: Logger;
  readonly #limitMs: number;
  readonly #parts: { name: string; stop: Stop }[] = [];
  #stopping: Promise<void> | undefined;
  #stopRequestedAt = 0;

  /** @param limitMs after which a stop ends the process anyway, with exit 1 */
  constructor(log: Logger, limitMs: number) {
    this.#log = log;
    this.#limitMs = limitMs;
  }

  /** True from the first request to stop; readiness turns false with it. */
  get stopping(): boolean {
    return this.#stopping !== undefined;
  }

  /** Registers what must be stopped; the last registered stops first. */
  onStop(name: string, stop: Stop): void {
    this.#parts.push({ name, stop });
  }

  /** Begins to listen for signals and for the end of the parent. */
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

  /** Tells the log, and the launcher that may have started this process, that it serves at `addresses`. */
  ready(addresses: Readonly<Record<string, string>>): void {
    this.#log.info(addresses, 'ready');
    process.send?.({ ready: addresses });
  }

  /** The start did not succeed: stops what was started and ends with exit 1. */
  fail(error: unknown): void {
    const reason = explainError(error);
    this.#log.fatal(reason === undefined ? { err: error } : { reason }, 'could not start');
    void this.#shutDown('could not start', 1);
  }

  /** Stops every part in reverse order; calling it again waits for the same stop. */
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

  // Whatever threw has left its state undefined, and may be what is being sent: nothing more is
  // written, and the claims of the process count as interrupted when their leases end.
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
