import { appendFileSync } from 'node:fs';
import { expect } from 'chai';
import type { TestDatabase } from './database.js';
import { eventually } from './eventually.js';
import type { Receiver } from './receiver.js';

/** What was acknowledged, and where it should have arrived. */
export interface Owed {
  readonly acked: ReadonlySet<string> | readonly string[];
  /** Where the queue is: its Redis, or else PostgreSQL. */
  readonly redisUrl: string | undefined;
  readonly receiver: Receiver;
  readonly database: TestDatabase;
}

/** How a reckoning is made and told. */
export interface ReckoningOptions {
  /** How often the misfortune struck, and the seed of its choices. */
  readonly struck?: number;
  readonly seed?: number;
  /** Further figures for the line, as in `refused: 12`. */
  readonly figures?: Readonly<Record<string, number>>;
  readonly limitMs?: number;
}

/** What came of a stream of events. */
export interface Reckoning {
  readonly acked: number;
  readonly received: number;
  readonly lost: number;
  /** Requests that repeat an event and attempt number. */
  readonly duplicates: number;
}

/**
 * Waits until everything acknowledged has arrived and is recorded or parked, and tells it in one
 * line, on standard output and in the file that the environment's `LEDGER` names.
 * @throws Error when something is missing; the line is told all the same
 */
export async function reckon(
  title: string,
  owed: Owed,
  { struck, seed, figures, limitMs = 45_000 }: ReckoningOptions = {},
): Promise<Reckoning> {
  try {
    await eventually(
      async () => {
        expect(count(owed).lost, 'lost').to.equal(0);
        const [row] = await owed.database.query<{ open: number }>(
          'select count(*)::int as open from chain where parked_reason is null',
        );
        expect(row?.open, 'open chains').to.equal(0);
      },
      'everything arrived and is recorded',
      limitMs,
    );
  } finally {
    tell(title, owed, {
      ...(struck !== undefined && { struck }),
      ...count(owed),
      ...figures,
      ...(seed !== undefined && { seed }),
    });
  }
  return count(owed);
}

function count({ acked, receiver }: Owed): Reckoning {
  const ids = new Set(acked);
  const arrived = new Set<string>();
  const attempts = new Set<string>();
  for (const { headers } of receiver.requests) {
    const id = headers['webhook-id'] ?? '';
    arrived.add(id);
    attempts.add(`${id} ${headers['x-service-attempt']}`);
  }
  const received = receiver.requests.length;
  const lost = [...ids].filter((id) => !arrived.has(id)).length;
  return { acked: ids.size, received, lost, duplicates: received - attempts.size };
}

/** Prints one ledger line and keeps it for the summary of a soak. */
export function tell(
  title: string,
  { redisUrl }: Pick<Owed, 'redisUrl'>,
  figures: Readonly<Record<string, number>>,
): void {
  const queue = redisUrl === undefined ? 'PostgreSQL' : 'Redis';
  const line = Object.entries(figures).map(([name, value]) => `${name}=${value}`);
  process.stdout.write(`      ${title}, ${queue}: ${line.join(' ')}\n`);
  const file = process.env['LEDGER'];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ title, queue, ...figures })}\n`);
}
