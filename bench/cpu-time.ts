import { readdirSync, readFileSync } from 'node:fs';

/** Ticks per second in /proc; Linux fixes this number for programs. */
const ticksPerSecond = 100;

/**
 * Processor time of a process and its children, user and system, in ms; undefined without /proc.
 */
export function processorMs(pid: number): number | undefined {
  const all = processes();
  if (!all) return undefined;
  const own = all.filter((each) => each.pid === pid || each.parent === pid);
  const used = own.reduce((sum, each) => sum + (scheduledMs(each.pid) ?? msOf(each.ticks)), 0);
  // Children that have ended count with their parent.
  const ended = own.find((each) => each.pid === pid)?.childTicks ?? 0;
  return used + msOf(ended);
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

function msOf(ticks: number): number {
  return (ticks * 1_000) / ticksPerSecond;
}

interface ProcessTimes {
  readonly pid: number;
  readonly parent: number;
  readonly ticks: number;
  readonly childTicks: number;
}

function processes(): ProcessTimes[] | undefined {
  let names: string[];
  try {
    names = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return undefined;
  }
  return names.flatMap((name) => {
    try {
      return [timesOf(readFileSync(`/proc/${name}/stat`, 'utf8'))];
    } catch {
      // The process ended after the folder was read.
      return [];
    }
  });
}

/** Parses the fields after the name in parentheses; `state` is field 3, see proc(5). */
function timesOf(stat: string): ProcessTimes {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const field = (number: number) => Number(fields[number - 3]);
  return {
    pid: Number(stat.slice(0, stat.indexOf(' '))),
    parent: field(4),
    ticks: field(14) + field(15),
    childTicks: field(16) + field(17),
  };
}
