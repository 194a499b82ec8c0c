import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

const hasProc = existsSync('/proc/self/stat');

/**
 * Returns a text that distinguishes the process `pid` from earlier and later ones with the same number.
 * Returns undefined if the process has ended or is a zombie.
 */
export function identityOf(pid: number): string | undefined {
  return hasProc ? fromProc(pid) : fromPs(pid);
}

function fromProc(pid: number): string | undefined {
  const stat = read(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  // The second field is the program's name in parentheses; it may contain spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const state = fields[0];
  const startTicks = fields[19];
  if (state === 'Z' || state === 'X') return undefined;
  // Ticks count from the boot, so the identity includes the id of the boot.
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

/** Returns the command line of a living process, words separated by NUL or space; '' if unknown. */
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
    // The process may end at any moment.
    return undefined;
  }
}
