import { readdirSync, readFileSync } from 'node:fs';
import { msPerTick, readProcesses } from '../test/support/processor-time.js';

/**
 * Processor time of a process and its children, user and system, in ms; undefined without /proc.
 */
export function processorMs(pid: number): number | undefined {
  const all = readProcesses();
  if (all.size === 0) return undefined;
  // Children that have ended count with their parent.
  let used = (all.get(pid)?.endedTicks ?? 0) * msPerTick;
  for (const [each, { parent, ticks }] of all) {
    if (each === pid || parent === pid) used += scheduledMs(each) ?? ticks * msPerTick;
  }
  return used;
}

/**
 * Processor time of the threads of one process. A tick is as long as ten events take, and PostgreSQL
 * has many processes. Undefined without statistics of the scheduler.
 */
function scheduledMs(pid: number): number | undefined {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    return threads.reduce((sum, thread) => {
      const [nanoseconds] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(
        ' ',
      );
      return sum + Number(nanoseconds) / 1_000_000;
    }, 0);
  } catch {
    return undefined;
  }
}
