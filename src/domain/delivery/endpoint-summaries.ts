import type { Read, Statement } from '../tx.js';
import { type EndpointHealth, latestAttempt, stateOf } from './endpoint-health.js';

/** How the deliveries to an endpoint go, without what must be counted. */
export type EndpointSummary = Pick<EndpointHealth, 'state' | 'lastSuccessAt' | 'lastFailureAt'>;

type Row = Omit<EndpointSummary, 'state'> & Parameters<typeof stateOf>[0] & { readonly id: string };

const summariesStatement: Statement = {
  name: 'endpoint_summaries',
  text: `
    select e.id, e.active, e.disabled_reason as "disabledReason",
           e.failing_since as "failingSince", ${latestAttempt('e.id', 'success')} as "lastSuccessAt",
           greatest(${latestAttempt('e.id', 'failed')},
                    ${latestAttempt('e.id', 'abandoned')}) as "lastFailureAt"
      from unnest($1::text[]) i (id)
     cross join lateral (select * from endpoint e where e.id = i.id limit 1) e`,
};

/**
 * Returns the summaries of endpoints of any account, by id, in one statement. Only for ids that were
 * looked up within an account already.
 */
export async function endpointSummaries(
  read: Read,
  ids: readonly string[],
): Promise<ReadonlyMap<string, EndpointSummary>> {
  const rows = await read.sql<Row>(summariesStatement, [ids]);
  return new Map(
    rows.map((row) => {
      const { id, lastSuccessAt, lastFailureAt } = row;
      return [id, { state: stateOf(row), lastSuccessAt, lastFailureAt }];
    }),
  );
}
