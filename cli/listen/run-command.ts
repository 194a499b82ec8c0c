import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { environmentWith } from '../environment.js';
import { exitCodes, Failure } from '../failure.js';
import type { ForwardableEvent } from './forward.js';

/** The same limit as for the local server of --forward-to. */
const longestMs = 120_000;
/** How long a command may take to clean up before it is killed. */
const graceMs = 2_000;
const checkMs = 50;

/** Windows has no process groups. */
const hasGroups = process.platform !== 'win32';

export interface RunOptions {
  readonly signal: AbortSignal;
  /** How long the command may take. Defaults to two minutes. */
  readonly deadlineMs?: number;
}

/**
 * Runs `command` in a shell, with the body on standard input. Ends the shell with all its processes at
 * the deadline and at Ctrl-C.
 * @returns its exit code or signal, or `timeout`
 * @throws Failure 130 at Ctrl-C
 */
export async function runCommand(
  command: string,
  event: ForwardableEvent,
  redelivered: boolean,
  { signal, deadlineMs = longestMs }: RunOptions,
): Promise<number | string> {
  const child = spawn(command, {
    shell: true,
    // Starts a process group, so that all its processes can be ended.
    detached: hasGroups,
    stdio: ['pipe', 'inherit', 'inherit'],
    env: environmentWith({
      SIGNALPOST_EVENT_ID: event.id,
      SIGNALPOST_EVENT_TYPE: event.type,
      SIGNALPOST_EVENT_TIME: event.time,
      SIGNALPOST_REDELIVERED: String(redelivered),
    }),
  });

  const exited = once(child, 'exit') as Promise<[number | null, string | null]>;

  // A command that does not read its input closes it early.
  child.stdin.on('error', () => undefined);
  child.stdin.end(event.body);

  const killAtExit = () => void sendSignal(child, 'SIGKILL');
  process.once('exit', killAtExit);

  try {
    if (await endsInTime(exited, signal, deadlineMs)) {
      const [code, ended] = await exited;
      return code ?? ended ?? 'unknown';
    }
    await endGroup(child);
    if (signal.aborted) throw new Failure('', exitCodes.interrupted);
    return 'timeout';
  } finally {
    process.off('exit', killAtExit);
  }
}

/** Whether the command ended before the deadline and before `signal`. @throws the error of `exited` */
async function endsInTime(
  exited: Promise<unknown>,
  signal: AbortSignal,
  deadlineMs: number,
): Promise<boolean> {
  const waiting = new AbortController();
  const stop = () => waiting.abort();
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();

  try {
    return await Promise.race([
      exited.then(() => true),
      wait(deadlineMs, false, { signal: waiting.signal }).catch(() => false),
    ]);
  } finally {
    signal.removeEventListener('abort', stop);
    stop();
  }
}

/** Ends every process of the group, and kills those that are left after two seconds. */
async function endGroup(child: ChildProcess): Promise<void> {
  sendSignal(child, 'SIGTERM');
  for (let waitedMs = 0; waitedMs < graceMs && sendSignal(child, 0); waitedMs += checkMs) {
    await wait(checkMs);
  }
  sendSignal(child, 'SIGKILL');
}

/** Sends a signal to the group. @returns whether any process of the group is left */
function sendSignal(child: ChildProcess, name: NodeJS.Signals | 0): boolean {
  if (!hasGroups || child.pid === undefined) return child.kill(name);
  try {
    return process.kill(-child.pid, name);
  } catch {
    return false;
  }
}
