// The life of a process: it starts parts in order, reports that it is ready, and stops them in reverse.
//
// It stops on SIGTERM, SIGINT or the end of its parent. It exits with 1 at once on another signal at least a second
// later, on a stop that takes longer than its limit, and on an uncaught exception.
import { explainError } from './explain-error.js';
import type { Logger } from './log.js';

/** Stops a part of the process; a promise is waited for. Called at most once. */
type Stop = () => unknown;

/** One Ctrl-C may arrive twice: from the terminal and from npm. */
const duplicateSignalMs = 1_000;

/** The parts of one process, which it stops in reverse order. */
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

  // An uncaught error leaves unknown state, which may include data that is being sent. So the process writes
  // nothing more. What it had claimed counts as interrupted when the leases end.
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

interface StopTimeouts {
  /** Aborts attempts in flight after this time. No attempt takes as long, so a stop repeats none. */
  readonly drainMs: number;
  /** A process exits by itself, even if results are not recorded. */
  readonly processMs: number;
  /** The launcher kills a process that hangs. */
  readonly launcherMs: number;
}

/** What an attempt takes besides its timeout: its start and the check of its clock. */
const attemptMarginMs = 5_000;
/** Time to record results and to close connections. */
const closeMs = 10_000;
/** Leaves time for notifications and API requests, which have their own limits. */
const minProcessMs = 30_000;
const launcherMarginMs = 5_000;

/**
 * Computes the limits of a stop if one attempt may take `timeoutMs`. Each limit contains the one
 * before it.
 * @param lameDuckMs how long an API still takes requests after the request to stop
 */
export function stopTimeouts(timeoutMs: number, lameDuckMs = 0): StopTimeouts {
  const drainMs = timeoutMs + attemptMarginMs;
  const processMs = Math.max(drainMs + closeMs, minProcessMs) + lameDuckMs;
  return { drainMs, processMs, launcherMs: processMs + launcherMarginMs };
}
