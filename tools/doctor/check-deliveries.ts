import type pg from 'pg';
import { smallestId } from '../../src/domain/id.js';
import { type Finding, ok, warning } from './finding.js';

/** Maintenance drops events after 40 days, but a pending delivery keeps its event. This warns before. */
const longOpenMs = 35 * 86_400_000;
/** Counting further costs more than the exact number is worth. */
const countLimit = 100_000;

/** Warns about dead letters and deliveries that are pending for more than 35 days. */
export async function checkDeliveries(client: pg.Client): Promise<Finding> {
  const { rows: clock } = await client.query<{ now: Date }>('select now() as now');
  const since = new Date((clock[0]?.now.getTime() ?? 0) - longOpenMs);
  const { rows } = await client.query<{ deadLettered: number; old: number; oldest: string | null }>(
    `select (select count(*)::int from pending_delivery where dead_letter_reason is not null) as "deadLettered",
            count(*)::int as old, min(o.id) as oldest
       from (select c.id from pending_delivery c
              where c.id < $1 and c.dead_letter_reason is null order by c.id limit ${countLimit}) o`,
    [smallestId('pdl', since)],
  );
  const { deadLettered = 0, old = 0, oldest } = rows[0] ?? {};
  const details = [
    ...(deadLettered > 0
      ? [
          `${deadLettered} dead-lettered: in the internal GraphQL, deadLetters lists the reasons and releaseDeadLetter releases them`,
        ]
      : []),
    ...(old > 0
      ? [
          `${old < countLimit ? old : `at least ${old}`} pending for more than 35 days, the oldest is ${oldest}: their events are kept past 40 days. Find out why workers do not finish them`,
        ]
      : []),
  ];
  return details.length === 0
    ? ok('deliveries', 'no dead letters, and none pending for more than 35 days')
    : warning('deliveries', details.join('; '));
}
