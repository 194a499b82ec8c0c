import { spread } from './statistics.js';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { externalFolderOf } from '../tools/launcher/data-dir.js';
import { freePort } from '../tools/launcher/ports.js';
import { readProcesses } from '../test/support/processor-time.js';
import { repositoryRoot } from '../test/support/repository.js';
import { type BenchService, waitUntilReady } from './bench-service.js';
import { proportionalMiB } from './actor.js';

/** Time from the command until /readyz responds 200, in ms per round; and memory. */
export interface ColdFigures {
  /** `npm start` of a built clone with an empty DATA_DIR: creates the database and its tables. */
  readonly firstStart: number[];
  /** `npm start` on the same folder. */
  readonly secondStart: number[];
  /** Only the API process, on a running database. */
  readonly apiAlone: number[];
  /** By process, after the second start, in MiB. */
  readonly restMiB: Readonly<Record<string, number>>;
}

/** Memory is read this long after the start: processes still work right after they are ready. */
const restMs = 3_000;

/** Starts and stops the service as a new user does. */
export async function benchCold(
  service: BenchService,
  rounds: number,
  progress: (line: string) => void,
): Promise<ColdFigures> {
  const firstStart: number[] = [];
  const secondStart: number[] = [];
  const apiAlone: number[] = [];
  let restMiB: Readonly<Record<string, number>> = {};
  for (let round = 1; round <= rounds; round += 1) {
    const folder = mkdtempSync(join(tmpdir(), 'signalpost-cold-'));
    const first = await startAll(folder);
    firstStart.push(first.elapsedMs);
    await first.end();

    const second = await startAll(folder);
    secondStart.push(second.elapsedMs);

    if (round === rounds) {
      await pause(restMs);
      restMiB = memoryBelow(second.pid);
    }

    await second.end();

    for (const path of [folder, externalFolderOf(folder)]) {
      rmSync(path, { recursive: true, force: true });
    }

    const startedAt = performance.now();
    const api = await service.startApi();

    apiAlone.push(performance.now() - startedAt);
    await api.end();
    progress(`cold starts, round ${round} of ${rounds}`);
  }

  return { firstStart, secondStart, apiAlone, restMiB };
}

async function startAll(dataDir: string) {
  const port = await freePort();
  const internalPort = await freePort();
  const workerPort = await freePort();
  const startedAt = performance.now();
  const child = spawn('npm', ['start'], {
    cwd: repositoryRoot,
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      DATA_DIR: dataDir,
      PORT: String(port),
      INTERNAL_PORT: String(internalPort),
      WORKER_PORT: String(workerPort),
    },
    stdio: 'ignore',
    detached: true,
  });

  const kill = () => signalGroup(child, 'SIGTERM');
  process.once('exit', kill);
  await Promise.all([internalPort, workerPort].map((port) => waitUntilReady(port)));

  return {
    pid: child.pid ?? -1,
    elapsedMs: performance.now() - startedAt,
    async end() {
      process.off('exit', kill);
      const exited = once(child, 'exit');
      signalGroup(child, 'SIGINT');
      await exited;
    },
  };
}

/** Signals the process group, as Ctrl-C in a terminal does. */
function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid !== undefined) process.kill(-pid, signal);
}

/** Memory of `pid` and its descendants in MiB, by kind of process. */
function memoryBelow(pid: number): Record<string, number> {
  const memory: Record<string, number> = {};
  for (const processId of [pid, ...descendantsOf(pid)]) {
    const name = nameOf(readFileSync(`/proc/${processId}/cmdline`, 'utf8').replaceAll('\0', ' '));
    memory[name] = (memory[name] ?? 0) + proportionalMiB(processId);
  }
  return memory;
}

function nameOf(command: string): string {
  if (command.includes('src/main.js')) return 'API';
  if (command.includes('workers/main.js')) return 'worker';
  if (command.includes('start.mjs')) return 'launcher';
  return command.includes('postgres') ? 'PostgreSQL' : 'npm';
}

function descendantsOf(pid: number): number[] {
  const all = [...readProcesses()];
  const below = (of: number): number[] =>
    all.flatMap(([child, { parent }]) => (parent === of ? [child, ...below(child)] : []));
  return below(pid);
}

/** Times from the command until all started processes respond 200 at /readyz. */
export function coldLines({ firstStart, secondStart, apiAlone, restMiB }: ColdFigures): string[] {
  const line = (what: string, times: number[], besides = '') =>
    `| ${what} | ready after ${spread(times)} ms | | | ${besides} |`;
  const memory = Object.entries(restMiB)
    .map(([who, megabytes]) => `${who} ${megabytes.toFixed(0)}`)
    .join(', ');
  return [
    line('npm start, first', firstStart, 'creates the database and its tables'),
    line('npm start, again', secondStart, `MiB at rest: ${memory}`),
    line('only the API process', apiAlone, 'on a running database'),
  ];
}
