import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A process of a benchmark. It replies to each message with one message. */
export interface Actor {
  readonly pid: number;
  ask<Answer>(command: object): Promise<Answer>;
  end(): Promise<void>;
}

/** Starts `actors/<name>.js` with `setup`. @returns the actor and the port it listens on */
export async function startActor(
  name: string,
  setup: object,
  nodeOptions: readonly string[] = [],
): Promise<Actor & { readonly port: number }> {
  const path = fileURLToPath(new URL(`actors/${name}.js`, import.meta.url));
  const child = fork(path, [JSON.stringify(setup)], { execArgv: [...nodeOptions] });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));

  const { port = 0 } = await answerOf<{ port?: number }>(child, name);
  return {
    pid: child.pid ?? -1,
    port,
    ask: (command) => {
      const answered = answerOf(child, name);
      child.send(command);
      return answered as Promise<never>;
    },
    async end() {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
  };
}

function answerOf<Answer>(child: ChildProcess, name: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const fail = (code: number | null) =>
      reject(new Error(`The actor ${name} exited with ${code ?? 'a signal'}`));
    child.once('exit', fail);
    child.once('message', (message) => {
      child.off('exit', fail);
      resolve(message as Answer);
    });
  });
}

/** Resident memory of a process in MiB. */
export function residentMiB(pid: number): number {
  return statusMiB(pid, 'VmRSS');
}

/** Peak resident memory of a process in MiB. */
export function peakMiB(pid: number): number {
  return statusMiB(pid, 'VmHWM');
}

/**
 * Proportional memory (PSS) of a process in MiB: shared pages are divided among the processes, so the
 * values of PostgreSQL's processes can be added.
 */
export function proportionalMiB(pid: number): number {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  return Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) / 1_024;
}

function statusMiB(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const match = new RegExp(`${field}:\\s+(\\d+) kB`).exec(status);
  return Math.round(Number(match?.[1] ?? 0) / 1_024);
}
