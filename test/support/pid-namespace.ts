import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The command that starts a process as process 1, as in a container. Its death ends that process. */
export const inOwnPidNamespace: readonly string[] = [
  'unshare',
  '--pid',
  '--fork',
  '--mount-proc',
  '--kill-child',
  '--',
];

/** The reason why tests with process 1 are pending; undefined when this process can start one. */
export const pidNamespaceMissing: string | undefined = reasonOfAbsence();

function reasonOfAbsence(): string | undefined {
  if (process.getuid?.() !== 0) return 'only root can start a process 1';
  const [program, ...words] = [...inOwnPidNamespace, 'true'];
  const { error, status, stderr } = spawnSync(program, words, { encoding: 'utf8' });
  if (error) return `unshare of util-linux cannot run: ${error.message}`;
  return status === 0 ? undefined : `unshare fails: ${stderr.trim()}`;
}

/** The id, outside of its namespace, of the process 1 that the command started. */
export function firstProcessOf(command: number): number {
  const children = readFileSync(`/proc/${command}/task/${command}/children`, 'utf8').trim();
  const id = Number(children);
  const status = readFileSync(`/proc/${id}/status`, 'utf8');
  if (!/^NSpid:\s+\d+.*\s1$/m.test(status))
    throw new Error(`${children} is no process 1: ${status}`);
  return id;
}
