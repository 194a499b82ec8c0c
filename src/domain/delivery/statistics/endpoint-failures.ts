import type { Read, Statement } from '../../tx.js';
import { readSpans, type SpanQuery } from './spans.js';

/** The attempts at one endpoint that did not succeed. */
export interface EndpointFailures {
  readonly endpointId: string;
  readonly failed: number;
  readonly abandoned: number;
}

/** An answer has at most this many endpoints. */
const maxEndpoints = 10;

/** Endpoints of one account that are read, newest first. Ten times the default limit of an account. */
const endpointsRead = 10_000;

// Rows compared as rows (ADR 0041) leave one index for each table: the index by age would read the
// range of all accounts once for each endpoint. Hours become days long after the longest range.
const failuresStatement: Statement = {
  name: 'endpoint_failures',
  text: `
    select e.id as "endpointId", f.failed, f.abandoned
      from (select e.id from endpoint e
             where (e.account_id, e.id) >= ($1, '') and (e.account_id, e.id) < ($1, '~')
               and e.deleted_at is null
             order by e.account_id desc, e.id desc limit ${endpointsRead}) e
     cross join lateral (
       select coalesce(sum(s.failed), 0)::int as failed,
              coalesce(sum(s.abandoned), 0)::int as abandoned
         from delivery_statistics s
        where (s.account_id, s.endpoint_id, s.span, s.starts_at) >= ($1, e.id, 'hour', $2)
          and (s.account_id, s.endpoint_id, s.span, s.starts_at) < ($1, e.id, 'hour', $3)) f
     where f.failed + f.abandoned > 0
     order by f.failed + f.abandoned desc, e.id desc limit ${maxEndpoints}`,
};

/**
 * Returns the endpoints with the most failed and abandoned attempts of a range, most first: at most
 * 10. Counts whole hours, as the statistics do, and leaves out deleted endpoints.
 * @throws DomainError validation_failed for a range that is empty or longer than 31 days
 */
export async function readEndpointFailures(
  read: Read,
  account: string,
  range: Pick<SpanQuery, 'since' | 'until'>,
): Promise<readonly EndpointFailures[]> {
  const { count, startOf } = await readSpans(read, { ...range, by: 'hour' });
  return read.sql<EndpointFailures>(failuresStatement, [account, startOf(0), startOf(count)]);
}
