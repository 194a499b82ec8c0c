import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Environment } from '../../src/config/config.js';
import { freePort } from '../launcher/ports.js';

const adminEntry = fileURLToPath(new URL('../admin/main.js', import.meta.url));
const startScript = fileURLToPath(new URL('../../../scripts/start.mjs', import.meta.url));

/** The service of the demo: `npm start` with its own ports and its own folder. */
export interface DemoService {
  readonly restUrl: string;
  readonly internalUrl: string;
  readonly dataDir: string;
  /** Runs `npm run admin -- …` and returns the object that its `--json` prints. */
  admin(...args: string[]): Record<string, string>;
  stop(): Promise<void>;
}

/**
 * Starts the service on free ports and waits until it is ready.
 * @param signal aborts a start that is not finished
 * @throws Error if it does not start; leaves no process running
 */
export async function startDemoService(
  dataDir: string,
  inherited: Environment,
  signal: AbortSignal,
): Promise<DemoService> {
  const port = await freePort();
  const internalPort = await freePort();
  const workerPort = await freePort();
  const environment = {
    PATH: inherited['PATH'],
    HOME: inherited['HOME'],
    DATA_DIR: dataDir,
    PORT: String(port),
    INTERNAL_PORT: String(internalPort),
    WORKER_PORT: String(workerPort),
    WEBHOOKS_RETRY_SCHEDULE: '1s,2s,4s',
    LOG_LEVEL: 'error',
  };

  const launcher = spawn(process.execPath, [startScript], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });

  const restUrl = `http://127.0.0.1:${port}`;
  const end = () => stopLauncher(launcher);
  await awaitReady(launcher, signal).catch(async (error: unknown) => {
    await end();
    throw error;
  });

  return {
    restUrl,
    internalUrl: `http://127.0.0.1:${internalPort}`,
    dataDir,
    admin(...args) {
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        [adminEntry, ...args, '--json'],
        { env: environment, encoding: 'utf8' },
      );
      if (status !== 0) throw new Error(`admin ${args.join(' ')}: ${stderr}`);
      return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Record<string, string>;
    },
    stop: end,
  };
}

async function stopLauncher(launcher: ChildProcess): Promise<void> {
  if (launcher.exitCode !== null || launcher.signalCode !== null) return;
  const ended = once(launcher, 'exit');
  launcher.kill('SIGTERM');
  await ended;
}

function awaitReady(launcher: ChildProcess, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(new Error('Stopped before the service was ready.'));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    let output = '';
    launcher.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes('Signalpost is ready')) resolve();
    });
    launcher.once('exit', () => reject(new Error(`The service did not start:\n${output}`)));
  });
}
