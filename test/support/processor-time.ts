import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Linux counts processor time in ticks of this length. */
export const msPerTick = 10;

/**
 * Returns the processor time of this process, its living descendants and the ended ones, in milliseconds. It leaves
 * out what ended after its parent, as parts of a browser do. It counts only this process where there is no /proc.
 */
export function processorTimeMs(): number {
  const { user, system } = process.cpuUsage();
  const ownMs = (user + system) / 1_000;
  const processes = readProcesses();
  const children = new Map<number, number[]>();

  for (const [pid, { parent }] of processes) {
    children.set(parent, [...(children.get(parent) ?? []), pid]);
  }

  let ticks = processes.get(process.pid)?.endedTicks ?? 0;
  const left = [...(children.get(process.pid) ?? [])];
  for (let pid = left.pop(); pid !== undefined; pid = left.pop()) {
    const one = processes.get(pid);
    ticks += (one?.ticks ?? 0) + (one?.endedTicks ?? 0);
    left.push(...(children.get(pid) ?? []));
  }

  return ownMs + ticks * msPerTick;
}

interface Process {
  readonly parent: number;
  readonly ticks: number;
  /** The ticks of children that have ended. */
  readonly endedTicks: number;
}

/** Reads the times of all processes, by pid; none where there is no /proc. */
export function readProcesses(): Map<number, Process> {
  const processes = new Map<number, Process>();
  if (!existsSync('/proc/self/stat')) return processes;

  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;

    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      // The name of the program, in brackets, may have spaces.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const number = (place: number) => Number(fields[place]);
      processes.set(Number(name), {
        parent: number(1),
        ticks: number(11) + number(12),
        endedTicks: number(13) + number(14),
      });
    } catch {
      // The process has just ended.
    }
  }

  return processes;
}
