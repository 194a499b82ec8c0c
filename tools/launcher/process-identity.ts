import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

const hasProc = existsSync('/proc/self/stat');

/**
 * What tells the process `pid` from every other that had or will have that number; undefined when it
 * is gone or only waits to be buried by its parent (a zombie).
 */
export function identityOf(pid: number): string | undefined {
  return hasProc ? fromProc(pid) : fromPs(pid);
}

function fromProc(pid: number): string | undefined {
  const stat = read(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  // The second field is the program's name in parentheses, which may itself hold anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, startTicks] = [fields[0], fields[19]];
  if (state === 'Z' || state === 'X') return undefined;
  // Ticks count from the boot, so the boot belongs to the identity.
  return `${startTicks ?? ''}@${read('/proc/sys/kernel/random/boot_id')?.trim() ?? ''}`;
}

function fromPs(pid: number): string | undefined {
  try {
    const line = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
    return line === '' || line.startsWith('Z') ? undefined : line.replace(/^\S+\s+/, '');
  } catch {
    // ps exits with 1 when there is no such process.
    return undefined;
  }
}

/** The command line of a living process, its words separated by NUL or a space; '' when unknown. */
export function commandLineOf(pid: number): string {
  if (hasProc) return read(`/proc/${pid}/cmdline`) ?? '';
  try {
    return execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return '';
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // Processes end between two looks.
    return undefined;
  }
}
