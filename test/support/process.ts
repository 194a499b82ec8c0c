import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { fetch } from 'undici';
import { eventually } from './eventually.js';
import { text } from 'node:stream/consumers';

const keptLines = 2_000;

/** Options of Node for the processes of tests, as `scripts/test.mjs` sets them. A soak or a benchmark has none. */
const nodeOptions = process.env['TEST_NODE_OPTIONS']?.split(' ') ?? [];

/** A real process of the service, with its log. */
export interface ServiceProcess {
  readonly pid: number;
  /** The newest lines of standard output and error. */
  readonly lines: readonly string[];
  readonly running: boolean;
  /** Sends `signal` and waits until `lines` is complete. @returns the exit code; null when a signal ended it */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

/**
 * Starts a compiled entry point with only `environment`, PATH and the DATA_DIR of this test run. Stacks
 * name lines of dist/, because source maps take a sixth of the processor time of a start.
 * @param entry relative to the root of the build, such as `src/main.js`, or the path of another build
 * @param within a command that starts it, such as one that enters a network namespace
 */
export function startProcess(
  entry: string,
  environment: Readonly<Record<string, string>>,
  args: readonly string[] = [],
  within: readonly string[] = [],
): ServiceProcess {
  const path = resolve(fileURLToPath(new URL('../..', import.meta.url)), entry);
  const node = [process.execPath, ...nodeOptions];
  const [program, ...words] = [...within, ...node, path, ...args] as [string, ...string[]];
  const child = spawn(program, words, {
    env: { PATH: process.env['PATH'], DATA_DIR: testDataDir(), ...environment },
    // The channel ends the process when the test run dies.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });

  const lines: string[] = [];
  keepLines(child, lines);

  const ended = once(child, 'close') as Promise<[number | null]>;
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);

  return {
    pid: child.pid ?? -1,
    lines,
    get running() {
      return child.exitCode === null && child.signalCode === null;
    },
    async end(signal = 'SIGTERM') {
      child.kill(signal);
      const [code] = await ended;
      process.off('exit', kill);
      return code;
    },
  };
}

/** Waits until `/readyz` below `url`, a listener of the process, answers 200. */
export function untilReady(one: ServiceProcess, url: string): Promise<void> {
  return eventually(async () => {
    if (!one.running) throw new Error(`it ended: ${one.lines.join('\n')}`);
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5_000) });
    const body = await response.text();
    if (response.status !== 200) throw new Error(`${response.status} ${body}`);
  }, `process ${one.pid} is ready`);
}

let dataDir: string | undefined;

/** Returns the default DATA_DIR of all processes of this test run. */
export function testDataDir(): string {
  if (dataDir !== undefined) return dataDir;
  const folder = mkdtempSync(join(tmpdir(), 'signalpost-data-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return (dataDir = folder);
}

function keepLines(child: ChildProcess, lines: string[]): void {
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue;
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line);
      if (lines.length > keptLines) lines.shift();
    });
  }
}

/** The output and the exit code of a program. */
export interface Ended {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a compiled entry point to its end with only `environment` and PATH.
 * @param entry relative to the root of the build, such as `tools/admin/main.js`
 */
export async function runProgram(
  entry: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Ended> {
  const path = fileURLToPath(new URL(`../../${entry}`, import.meta.url));
  const child = spawn(process.execPath, [...nodeOptions, path, ...args], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const [code, stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  process.off('exit', kill);
  return { code, stdout, stderr };
}
