/** Which transactions PostgreSQL counted as ended at one moment: its `pg_snapshot`. */
export interface Snapshot {
  /** Every transaction below it had ended. */
  readonly xmin: bigint;
  /** No transaction from here on had begun to write. */
  readonly xmax: bigint;
  /** Transactions between the two that had not ended, ascending. */
  readonly running: readonly bigint[];
}

/** Sees no row: the base of a stream that begins with rows from before. */
export const emptySnapshot: Snapshot = { xmin: 1n, xmax: 1n, running: [] };

/** Reads PostgreSQL's text form, such as `10:20:10,14`. */
export function parseSnapshot(text: string): Snapshot {
  const [xmin = '', xmax = '', running = ''] = text.split(':');
  return {
    xmin: BigInt(xmin),
    xmax: BigInt(xmax),
    running: running === '' ? [] : running.split(',').map(BigInt),
  };
}

/** Writes PostgreSQL's text form. */
export function formatSnapshot({ xmin, xmax, running }: Snapshot): string {
  return `${xmin}:${xmax}:${running.join(',')}`;
}

export function isSameSnapshot(one: Snapshot, other: Snapshot): boolean {
  return formatSnapshot(one) === formatSnapshot(other);
}

/** Whether `later` sees all that `earlier` sees. Of two snapshots of one server, one always does. */
export function seesAllOf(later: Snapshot, earlier: Snapshot): boolean {
  if (earlier.xmax > later.xmax) return false;
  const running = new Set(earlier.running);
  return later.running.every((xid) => xid >= earlier.xmax || running.has(xid));
}
