import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Environment } from '../config.js';
import { heldArgument, release } from '../held.js';

/** A process that the launcher keeps alive. */
export interface ChildPlan {
  readonly name: string;
  /** The compiled file it runs. */
  readonly entry: string;
  /** Further options for Node itself. */
  readonly nodeOptions?: readonly string[];
}

/** What a child tells when it serves: the addresses it listens on, by name. */
export type Addresses = Readonly<Record<string, string>>;

/** A child ended before it ever served; its own log says why, where it could be started. */
class ChildFailed extends Error {
  constructor(name: string, how: string) {
    super(`The ${name} process ${how} before it was ready; see its log lines above.`);
    this.name = 'ChildFailed';
  }
}

const firstDelayMs = 250;
const longestDelayMs = 10_000;
const steadyMs = 30_000;

/**
 * One process that is started again, later and later, whenever it ends unasked. It has a process
 * group of its own, so Ctrl-C reaches the launcher alone, and a channel: when that closes because
 * the launcher is gone, the process ends itself.
 */
export class Child {
  /** Resolves when it first serves; rejects with ChildFailed when it ends before. */
  readonly ready: Promise<Addresses>;
  readonly #plan: ChildPlan;
  readonly #say: (line: string) => void;
  #environment: Environment;
  #running: ChildProcess | undefined;
  #again: NodeJS.Timeout | undefined;
  #delayMs = firstDelayMs;
  #wanted = true;
  #closed = false;
  #served = false;
  #held: boolean;

  /** @param held whether it only loads, until {@link release} */
  constructor(
    plan: ChildPlan,
    environment: Environment,
    say: (line: string) => void,
    { held = false }: { held?: boolean } = {},
  ) {
    this.#plan = plan;
    this.#say = say;
    this.#environment = environment;
    this.#held = held;
    this.ready = new Promise((resolve, reject) => this.#start(resolve, reject));
    // Who stops before it is ready does not wait for it.
    this.ready.catch(() => undefined);
  }

  /** The number of the running process; undefined between two runs. */
  get pid(): number | undefined {
    return this.#running?.pid;
  }

  /** Lets it begin, where it was held. */
  release(): void {
    if (!this.#held) return;
    this.#held = false;
    if (this.#running?.connected) this.#running.send(release);
  }

  /** Ends it gracefully and runs it again with other settings; nothing once it was stopped. */
  async restart(environment: Environment, limitMs: number): Promise<void> {
    if (this.#closed) return;
    this.#environment = environment;
    await this.#end(limitMs);
    // It may have been stopped meanwhile.
    if (this.#isClosed()) return;
    this.#wanted = true;
    this.#start();
  }

  /** Asks it to finish what it has begun and waits for its end for good; kills it after `limitMs`. */
  async stop(limitMs: number): Promise<void> {
    this.#closed = true;
    await this.#end(limitMs);
  }

  /** Ends it at once, for good. */
  kill(): void {
    this.#closed = true;
    this.#wanted = false;
    clearTimeout(this.#again);
    this.#running?.kill('SIGKILL');
  }

  #isClosed(): boolean {
    return this.#closed;
  }

  async #end(limitMs: number): Promise<void> {
    this.#wanted = false;
    clearTimeout(this.#again);
    const running = this.#running;
    if (!running) return;
    const ended = once(running, 'exit');
    running.kill('SIGTERM');
    const limit = setTimeout(() => {
      this.#say(`The ${this.#plan.name} process did not end within ${limitMs} ms; killing it.`);
      running.kill('SIGKILL');
    }, limitMs);
    await ended;
    clearTimeout(limit);
  }

  #start(onReady?: (addresses: Addresses) => void, onFailure?: (error: Error) => void): void {
    const begin = performance.now();
    const over = (how: string) => {
      this.#running = undefined;
      if (!this.#wanted) return;
      if (!this.#served) onFailure?.(new ChildFailed(this.#plan.name, how));
      else this.#startLater(how, performance.now() - begin);
    };
    const neverBegan = (error: unknown) => over(`could not be started (${String(error)})`);
    const { entry, nodeOptions = [] } = this.#plan;
    let child: ChildProcess;
    try {
      const args = ['--enable-source-maps', ...nodeOptions, entry];
      child = spawn(process.execPath, this.#held ? [...args, heldArgument] : args, {
        env: this.#environment,
        detached: true,
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      });
    } catch (error) {
      neverBegan(error);
      return;
    }
    if (child.pid === undefined) {
      // There is no process, so there will be no exit.
      child.once('error', neverBegan);
      return;
    }
    this.#running = child;
    child.on('message', (message: { ready?: Addresses }) => {
      if (!message.ready) return;
      this.#served = true;
      onReady?.(message.ready);
    });
    // A signal or a message that could not be sent; its end is told by "exit".
    child.on('error', (error) => this.#say(`The ${this.#plan.name} process: ${error.message}`));
    child.once('exit', (code, signal) =>
      over(signal ? `was killed by ${signal}` : `ended with exit code ${code ?? 0}`),
    );
  }

  #startLater(how: string, livedMs: number): void {
    if (livedMs > steadyMs) this.#delayMs = firstDelayMs;
    this.#say(`The ${this.#plan.name} process ${how}; restarting it in ${this.#delayMs} ms.`);
    this.#again = setTimeout(() => this.#start(), this.#delayMs);
    this.#delayMs = Math.min(this.#delayMs * 2, longestDelayMs);
  }
}
