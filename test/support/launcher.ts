import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fetch } from 'undici';
import { externalFolderOf } from '../../tools/launcher/data-dir.js';
import { findPostmaster, stopPostmaster } from '../../tools/launcher/postgres-server.js';
import { identityOf } from '../../tools/launcher/process-identity.js';
import type { UnixUser } from '../../tools/launcher/child-process.js';
import { freePort } from '../../tools/launcher/ports.js';
import { eventually } from './eventually.js';

const fakes = [fileURLToPath(new URL('launch-fakes.js', import.meta.url))];
const realLauncher = new URL('../../tools/launcher/main.js', import.meta.url).href;
const service = [
  '--input-type=module',
  '-e',
  `process.exit(await (await import('${realLauncher}')).launch())`,
];

/** The DATA_DIR of a test, in a folder that only its owner can enter, with free ports. */
export interface TestHome {
  readonly dataDir: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly apiPort: number;
  readonly workerPort: number;
  /** PostgreSQL's data directory; exists after the first start. */
  cluster(): string;
  /** Every launcher that was started on it. */
  readonly started: TestLauncher[];
  /** Stops all remaining processes and removes the data. */
  remove(): Promise<void>;
}

/** Creates a {@link TestHome}; call `remove` in `after`. */
export async function createTestHome(): Promise<TestHome> {
  const folder = mkdtempSync(join(tmpdir(), 'signalpost-home-'));
  const apiPort = await freePort();
  const workerPort = await freePort();
  const outside = externalFolderOf(folder);
  const started: TestLauncher[] = [];
  const cluster = () => {
    const inside = join(folder, 'postgres');
    const otherHome = join(outside, 'postgres');
    return process.getuid?.() === 0 && !isFolder(inside) ? otherHome : inside;
  };

  return {
    dataDir: folder,
    apiPort,
    workerPort,
    cluster,
    environment: {
      PATH: '/usr/local/bin:/usr/bin:/bin',
      DATA_DIR: folder,
      PORT: String(apiPort),
      INTERNAL_PORT: '0',
      WORKER_PORT: String(workerPort),
    },
    started,
    async remove() {
      for (const launcher of started) {
        if (identityOf(launcher.pid)) launcher.signalGroup('SIGKILL');
        await launcher.ended;
      }

      // After a failed test, processes may outlive their launcher.
      for (const port of [apiPort, workerPort]) {
        const orphan = await pidOn(port).catch(() => undefined);
        if (orphan !== undefined) process.kill(orphan, 'SIGKILL');
      }

      const running = findPostmaster(cluster());
      if (running) await stopPostmaster(running);
      rmSync(folder, { recursive: true, force: true });
      rmSync(outside, { recursive: true, force: true });
    },
  };
}

/** A running launcher. */
export interface TestLauncher {
  readonly pid: number;
  /** Everything it and its children printed. */
  readonly output: () => string;
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** Waits until the output contains `text`. */
  says(text: string): Promise<void>;
  /** Sends a signal to its whole process group, as a terminal does. */
  signalGroup(signal: NodeJS.Signals): void;
}

/** Starts a launcher with fakes of its processes, as the leader of a process group. */
export function startLauncher(home: TestHome, user?: UnixUser): TestLauncher {
  return start(home, fakes, user);
}

/** Starts a launcher with the real processes, as the leader of a process group. */
export function startWholeLauncher(home: TestHome): TestLauncher {
  return start(home, service);
}

function start(home: TestHome, program: readonly string[], user?: UnixUser): TestLauncher {
  const child: ChildProcess = spawn(process.execPath, program, {
    ...user,
    cwd: home.dataDir,
    env: home.environment,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });

  let output = '';
  let hasExited = false;

  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  }

  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once('exit', (code, signal) => {
      hasExited = true;
      resolve({ code, signal });
    });
  });

  const pid = child.pid ?? 0;
  const launcher: TestLauncher = {
    pid,
    ended,
    output: () => output,
    says: (text) =>
      eventually(() => {
        if (output.includes(text)) return;
        throw new Error(`${hasExited ? 'it ended; ' : ''}its output:\n${output}`);
      }, `the launcher prints "${text}"`),
    signalGroup: (signal) => {
      try {
        process.kill(-pid, signal);
      } catch (error) {
        // The process has ended.
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
      }
    },
  };

  home.started.push(launcher);

  return launcher;
}

/** Returns the pid of the fake on `port`. @throws Error when none responds or its database is unreachable */
export async function pidOn(port: number): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${port}/`);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`status ${response.status}`);
  return Number(text);
}

/** Returns the user id of a process; only on Linux. */
export function userOf(pid: number): number {
  return Number(/^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}

function isFolder(path: string): boolean {
  try {
    readFileSync(join(path, 'PG_VERSION'));
    return true;
  } catch {
    return false;
  }
}
