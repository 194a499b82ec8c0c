import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import type { Environment } from '../../src/config/config.js';
import { openLogGate, openStartGate, startGateArgument } from '../../src/process/start-gate.js';

/** A process that the launcher keeps alive. */
export interface ChildPlan {
  readonly name: string;
  /** The compiled file it runs. */
  readonly entry: string;
  /** More options for Node itself. */
  readonly nodeOptions?: readonly string[];
}

/** The addresses on which a child listens, by name. The child sends them when it is ready. */
export type Addresses = Readonly<Record<string, string>>;

/** A child ended before it was ready. Its log says why, unless it could not be started. */
class ChildFailed extends Error {
  constructor(name: string, reason: string) {
    super(`The ${name} process ${reason} before it was ready; see its log lines above.`);
    this.name = 'ChildFailed';
  }
}

/**
 * Options of Node for an API process. With the default young generation of 16 MiB, a busy process
 * pauses fifteen times a second, about 2 ms each. The slowest 1 % of requests wait for that.
 * The script `api` of package.json has the same options.
 */
export const apiNodeOptions: readonly string[] = ['--max-semi-space-size=64'];

/**
 * Options of Node for a worker. The objects of a delivery are garbage within milliseconds, and the
 * default young generation of 16 MiB copies many of them twice. The script `worker` of package.json
 * has the same options.
 */
export const workerNodeOptions: readonly string[] = ['--max-semi-space-size=32'];

const firstDelayMs = 250;

const maxDelayMs = 10_000;

const stableMs = 30_000;

/**
 * A process that is restarted with backoff whenever it ends without being asked to. It has its own
 * process group, so that Ctrl-C reaches only the launcher. It also has a channel to the launcher: when
 * that closes because the launcher is gone, the process ends by itself.
 */
export class Child {
  /** Resolves when the process is ready for the first time; rejects with ChildFailed if it ends before. */
  readonly ready: Promise<Addresses>;
  readonly #plan: ChildPlan;
  readonly #print: (line: string) => void;
  #environment: Environment;
  #running: ChildProcess | undefined;
  #restartTimer: NodeJS.Timeout | undefined;
  #delayMs = firstDelayMs;
  #shouldRun = true;
  #closed = false;
  #wasReady = false;
  #gated: boolean;

  /** @param gated if true, the process only loads its modules until {@link openStartGate} */
  constructor(
    plan: ChildPlan,
    environment: Environment,
    print: (line: string) => void,
    { gated = false }: { gated?: boolean } = {},
  ) {
    this.#plan = plan;
    this.#print = print;
    this.#environment = environment;
    this.#gated = gated;
    this.ready = new Promise((resolve, reject) => this.#start(resolve, reject));
    // A launcher that stops earlier does not await it. Its rejection must not end the launcher.
    this.ready.catch(() => undefined);
  }

  /** The pid of the process; undefined between two runs. */
  get pid(): number | undefined {
    return this.#running?.pid;
  }

  /** Lets a gated process begin. */
  openStartGate(): void {
    if (!this.#gated) return;
    this.#gated = false;
    if (this.#running?.connected) this.#running.send(openStartGate);
  }

  /** Lets a process that was gated print its log. */
  openLogGate(): void {
    if (this.#running?.connected) this.#running.send(openLogGate);
  }

  /** Stops the process gracefully and starts it with other settings; does nothing after {@link stop}. */
  async restart(environment: Environment, limitMs: number): Promise<void> {
    if (this.#closed) return;
    this.#environment = environment;
    await this.#terminate(limitMs);
    // stop() may have been called in between.
    if (this.#isClosedNow()) return;
    this.#shouldRun = true;
    this.#start();
  }

  /** Stops the process gracefully and permanently; kills it after `limitMs`. */
  async stop(limitMs: number): Promise<void> {
    this.#closed = true;
    await this.#terminate(limitMs);
  }

  /** Kills the process at once; it is not started again. */
  kill(): void {
    this.#closed = true;
    this.#shouldRun = false;
    clearTimeout(this.#restartTimer);
    this.#running?.kill('SIGKILL');
  }

  #isClosedNow(): boolean {
    return this.#closed;
  }

  async #terminate(limitMs: number): Promise<void> {
    this.#shouldRun = false;
    clearTimeout(this.#restartTimer);
    const running = this.#running;
    if (!running) return;
    const ended = once(running, 'exit');
    running.kill('SIGTERM');
    const limit = setTimeout(() => {
      this.#print(`The ${this.#plan.name} process did not end within ${limitMs} ms; killing it.`);
      running.kill('SIGKILL');
    }, limitMs);
    await ended;
    clearTimeout(limit);
  }

  #start(onReady?: (addresses: Addresses) => void, onFailure?: (error: Error) => void): void {
    const startedAt = performance.now();
    const onExit = (reason: string) => {
      this.#running = undefined;
      if (!this.#shouldRun) return;
      if (!this.#wasReady) onFailure?.(new ChildFailed(this.#plan.name, reason));
      else this.#scheduleRestart(reason, performance.now() - startedAt);
    };

    const onSpawnError = (error: unknown) => onExit(`could not be started (${String(error)})`);
    const { entry, nodeOptions = [] } = this.#plan;
    let child: ChildProcess;
    try {
      const args = ['--enable-source-maps', ...nodeOptions, entry];
      child = spawn(process.execPath, this.#gated ? [...args, startGateArgument] : args, {
        env: this.#environment,
        detached: true,
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      });
    } catch (error) {
      onSpawnError(error);
      return;
    }

    if (child.pid === undefined) {
      // Without a process there is no "exit".
      child.once('error', onSpawnError);
      return;
    }

    this.#running = child;

    child.on('message', (message: { ready?: Addresses }) => {
      if (!message.ready) return;
      this.#wasReady = true;
      onReady?.(message.ready);
    });

    // A signal or message that could not be sent. The end of the process arrives as "exit".
    child.on('error', (error) => this.#print(`The ${this.#plan.name} process: ${error.message}`));
    child.once('exit', (code, signal) =>
      onExit(signal ? `was killed by ${signal}` : `ended with exit code ${code ?? 0}`),
    );
  }

  #scheduleRestart(reason: string, uptimeMs: number): void {
    if (uptimeMs > stableMs) this.#delayMs = firstDelayMs;
    this.#print(`The ${this.#plan.name} process ${reason}; restarting it in ${this.#delayMs} ms.`);
    this.#restartTimer = setTimeout(() => this.#start(), this.#delayMs);
    this.#delayMs = Math.min(this.#delayMs * 2, maxDelayMs);
  }
}

const run = promisify(execFile);

/** A user of this machine, by number. */
export interface UnixUser {
  readonly uid: number;
  readonly gid: number;
}

/** The result of a program that has ended. */
interface Ended {
  readonly ok: boolean;
  /** Standard output and standard error; the system's message if both are empty. */
  readonly output: string;
}

/**
 * Runs a program to its end, as `user` or, if undefined, as the user of this process. It runs in the root
 * folder, because another user may be unable to enter ours. Never throws.
 */
export async function runAs(
  user: UnixUser | undefined,
  file: string,
  args: readonly string[],
): Promise<Ended> {
  try {
    const { stdout, stderr } = await run(file, args, { ...user, ...minimalEnvironment });
    return { ok: true, output: `${stdout}${stderr}`.trim() };
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Partial<Record<string, string>>;
    return { ok: false, output: `${stdout}${stderr}`.trim() || (message ?? 'unknown error') };
  }
}

/** The environment and working folder of PostgreSQL's programs, instead of ours. */
export const minimalEnvironment = {
  cwd: '/',
  env: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' },
};
