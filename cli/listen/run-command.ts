import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { environmentWith } from '../environment.js';
import { exitCodes, Failure } from '../failure.js';
import type { ForwardableEvent } from './forward.js';

/** Runs `command` in a shell, with the body on standard input. @returns its exit code or signal */
export async function runCommand(
  command: string,
  event: ForwardableEvent,
  redelivered: boolean,
  signal: AbortSignal,
): Promise<number | string> {
  const child = spawn(command, {
    shell: true,
    stdio: ['pipe', 'inherit', 'inherit'],
    signal,
    env: environmentWith({
      SIGNALPOST_EVENT_ID: event.id,
      SIGNALPOST_EVENT_TYPE: event.type,
      SIGNALPOST_EVENT_TIME: event.time,
      SIGNALPOST_REDELIVERED: String(redelivered),
    }),
  });
  // A command that reads nothing closes its input early.
  child.stdin.on('error', () => undefined);
  child.stdin.end(event.body);
  try {
    const [code, ended] = (await once(child, 'exit')) as [number | null, string | null];
    return code ?? ended ?? 'unknown';
  } catch (error) {
    if (signal.aborted) throw new Failure('', exitCodes.interrupted);
    throw error;
  }
}
