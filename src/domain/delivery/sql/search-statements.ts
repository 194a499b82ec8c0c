import { oldestListedId } from '../../oldest-listed.js';
import type { Statement } from '../../tx.js';
import { deliveryColumns } from './delivery-columns.js';

/** The index that finds the records of a search. Other filters are applied to what it finds. */
export type SearchedBy = 'event' | 'endpoint' | 'endpoint_status' | 'type' | 'status' | 'account';

/** One page reads at most this many records. */
const searchReadLimit = 10_000;

const select = (condition: string) => `
          select d.* from delivery d
           where ${condition} and d.id < $2 and d.id >= $3 and d.id >= ${oldestListedId('whd')}`;

/** In SQL: the key of `delivery_by_endpoint`. */
const endpointKey = 'hashtextextended(d.endpoint_id || d.status, 0)';
const ofEndpoint = (status: string) =>
  select(`${endpointKey} = hashtextextended($5::text collate "C" || ${status}, 0)`);

/**
 * Each selects by one index only. None of them names the account where an index of the account could
 * be mistaken for the better one: the outer condition does.
 */
const selections: Readonly<Record<SearchedBy, string>> = {
  event: select('d.event_id = $7'),
  endpoint: ["'success'", "'failed'", "'abandoned'"]
    .map((status) => `(${ofEndpoint(status)} order by d.id desc limit ${searchReadLimit})`)
    .join(' union all '),
  endpoint_status: ofEndpoint('$8::text'),
  type: select(
    `hashtextextended(d.account_id || d.event_type, 0) = hashtextextended($1::text collate "C" || $6::text, 0)`,
  ),
  status: select('d.account_id = $1 and d.status = $8'),
  account: select('d.account_id = $1'),
};

/**
 * Reads records by an index, newest first, until the page is full or {@link searchReadLimit} records
 * are read. The last of these is returned in any case, so that the next page begins after it. Each
 * level has the same order, so that none sorts and PostgreSQL reads no further than the page needs.
 */
function searchStatement(by: SearchedBy): Statement {
  return {
    name: `delivery_search_${by}`,
    text: `
    select * from (
      select ${deliveryColumns},
             d.account_id = $1 and ($5::text is null or d.endpoint_id = $5)
               and ($6::text is null or d.event_type = $6)
               and ($7::text is null or d.event_id = $7)
               and ($8::text is null or d.status = $8)
               and ($9::boolean is null or d.test = $9)
               and ($10::boolean is null or (d.replayed_from is not null) = $10) as matches,
             row_number() over () = ${searchReadLimit} as last
        from (${selections[by]}
           order by id desc limit ${searchReadLimit}) d
       order by d.id desc
    ) found
     where found.matches or found.last
     order by found.id desc limit $4`,
  };
}

/** The statements of a search, by the index that each reads. */
export const searchStatements: Readonly<Record<SearchedBy, Statement>> = {
  event: searchStatement('event'),
  endpoint: searchStatement('endpoint'),
  endpoint_status: searchStatement('endpoint_status'),
  type: searchStatement('type'),
  status: searchStatement('status'),
  account: searchStatement('account'),
};
