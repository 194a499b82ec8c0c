import { appendFileSync } from 'node:fs';
import { expect } from 'chai';
import type { TestDatabase } from './database.js';
import { eventually } from './eventually.js';
import type { ReceivedRequest, Receiver } from './receiver.js';

/** Acknowledged events, and where they should have arrived. */
export interface Acknowledged {
  readonly acked: ReadonlySet<string> | readonly string[];
  /** The Redis of the queue; undefined for the queue on PostgreSQL. */
  readonly redisUrl: string | undefined;
  readonly receiver: Receiver;
  readonly database: TestDatabase;
}

export interface ReconciliationOptions {
  /** The number of injected faults, and the seed of their random choices. */
  readonly injected?: number;
  readonly seed?: number;
  /** More figures for the printed line, such as `refused: 12`. */
  readonly figures?: Readonly<Record<string, number>>;
  readonly limitMs?: number;
  /** The expected number of dead letters. Defaults to 0. */
  readonly deadLettered?: number;
}

/** Arrived and lost events. */
export interface Arrivals {
  readonly acked: number;
  readonly received: number;
  readonly lost: number;
  /** Repeated requests: after an accepted one, or for the same attempt. */
  readonly duplicates: number;
}

/** The result of a reconciliation. */
export interface Reconciliation extends Arrivals {
  readonly deadLettered: number;
  /** Acknowledged events without a successful delivery record, except dead letters. */
  readonly unrecorded: number;
}

/**
 * Waits until every acknowledged event has arrived and is recorded as success or dead-lettered. Prints
 * the result as one line, also to the file that the environment variable `LEDGER` names.
 * @throws Error when an event is missing, after printing the line
 */
export async function reconcile(
  title: string,
  acknowledged: Acknowledged,
  { injected, seed, figures, limitMs = 45_000, deadLettered = 0 }: ReconciliationOptions = {},
): Promise<Reconciliation> {
  const acked = [...acknowledged.acked];
  const count = async (): Promise<Reconciliation> => ({
    ...arrivals(acked, acknowledged.receiver.requests),
    ...(await records(acknowledged.database, acked)),
  });
  try {
    await eventually(
      async () => {
        const { lost, unrecorded } = await count();
        expect(lost, 'lost').to.equal(0);
        const [row] = await acknowledged.database.query<{ open: number }>(
          'select count(*)::int as open from pending_delivery where dead_letter_reason is null',
        );
        expect(row?.open, 'open pending deliveries').to.equal(0);
        expect(unrecorded, 'unrecorded').to.equal(0);
      },
      'everything arrived and is recorded',
      limitMs,
    );
  } finally {
    report(title, acknowledged, {
      ...(injected !== undefined && { injected }),
      ...(await count()),
      ...figures,
      ...(seed !== undefined && { seed }),
    });
  }

  const reconciliation = await count();
  expect(reconciliation.deadLettered, 'dead-lettered').to.equal(deadLettered);

  return reconciliation;
}

/** Compares acknowledged events with received requests. */
export function arrivals(
  acked: readonly string[],
  requests: readonly Pick<ReceivedRequest, 'path' | 'headers' | 'answered'>[],
): Arrivals {
  const ids = new Set(acked);
  const arrived = new Set<string>();
  const seen = new Set<string>();
  let duplicates = 0;

  for (const { path, headers, answered = 0 } of requests) {
    const id = headers['webhook-id'] ?? '';
    const event = `${path} ${id}`;
    const attempt = `${path} ${id} ${headers['x-service-attempt']}`;
    if (seen.has(event) || seen.has(attempt)) duplicates += 1;
    arrived.add(id);
    seen.add(attempt);
    if (answered >= 200 && answered < 300) seen.add(event);
  }

  const lost = [...ids].filter((id) => !arrived.has(id)).length;
  return { acked: ids.size, received: requests.length, lost, duplicates };
}

async function records(
  database: TestDatabase,
  acked: readonly string[],
): Promise<Pick<Reconciliation, 'deadLettered' | 'unrecorded'>> {
  const [row] = await database.query<Pick<Reconciliation, 'deadLettered' | 'unrecorded'>>(
    `select (select count(*)::int from pending_delivery where dead_letter_reason is not null) as "deadLettered",
            (select count(*)::int from unnest($1::text[]) a (id)
              where not exists (select from delivery d
                                 where d.event_id = a.id and d.status = 'success')
                and not exists (select from pending_delivery c
                                 where c.event_id = a.id and c.dead_letter_reason is not null)
            ) as unrecorded`,
    [acked],
  );
  if (!row) throw new Error('the query returned no row');
  return row;
}

/** Prints one line of figures and saves it for the summary of a soak. */
export function report(
  title: string,
  { redisUrl }: Pick<Acknowledged, 'redisUrl'>,
  figures: Readonly<Record<string, number>>,
): void {
  const queue = redisUrl === undefined ? 'PostgreSQL' : 'Redis';
  const line = Object.entries(figures).map(([name, value]) => `${name}=${value}`);
  process.stdout.write(`      ${title}, ${queue}: ${line.join(' ')}\n`);
  const file = process.env['LEDGER'];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ title, queue, ...figures })}\n`);
}
