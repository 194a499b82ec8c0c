import { smallestId } from '../src/domain/values/id.js';
import { createPartition } from '../src/database/partitions.js';
import { callGraphql } from '../test/support/tenants.js';
import type { BenchService } from './bench-service.js';
import {
  createBenchAccount,
  createBenchEndpoints,
  createBenchToken,
  eventType,
} from './fixtures.js';
import { quantile } from './statistics.js';

/** Times of the pages of one search in ms, and what they found. */
export interface SearchFigures {
  readonly p50: number;
  readonly p95: number;
  readonly found: number;
}

/** All searches, among so many records of one account and half as many events. */
export interface SearchResults {
  readonly records: number;
  readonly searches: Record<string, SearchFigures>;
}

const endpointCount = 50;
const rareType = 'invoice.issued';
const halfType = 'offer.sent';
const pagesEach = 40;
/** The records are spread over this many times of the last 29 days. */
const moments = 1_000;
const dayMs = 86_400_000;

/** Measures pages of `webhookDeliveries` and `events`, through the internal GraphQL of one API process. */
export async function benchSearches(
  service: BenchService,
  records: number,
  progress: (line: string) => void,
): Promise<SearchResults> {
  const account = await createBenchAccount(service);
  const urls = Array.from({ length: endpointCount }, () => `${service.receiverOrigin}/`);
  const endpoints = await createBenchEndpoints(service, account, urls);
  const token = await createBenchToken(service, account, 'internal');

  progress(`inserting ${records.toLocaleString('en')} records`);
  await fill(service, account, endpoints, records);

  const api = await service.startApi();
  const internalUrl = `http://127.0.0.1:${api.port}`;
  const ask = async (field: string, filter: string, after: string | undefined) => {
    const cursor = after === undefined ? '' : `, cursor: ${JSON.stringify(after)}`;
    const query = `{ found: ${field}(account: "${account}", limit: 20${cursor}${filter}) {
      data { id } page { hasMore nextCursor } } }`;
    const startedAt = performance.now();
    const { found } = await callGraphql<{ found: Found }>({ internalUrl }, token, query);
    return { ...found, ms: performance.now() - startedAt };
  };

  const searches: Record<string, SearchFigures> = {};

  for (const [title, [field, filter]] of Object.entries(filtersOf(endpoints))) {
    const times: number[] = [];
    let found = 0;
    let after: string | undefined;
    for (let page = -1; page < pagesEach; page += 1) {
      const answer = await ask(field, filter, after);
      // The first one compiles the document.
      if (page >= 0) times.push(answer.ms);
      found += answer.data.length;
      after = answer.page.hasMore ? (answer.page.nextCursor ?? undefined) : undefined;
    }

    searches[title] = { p50: quantile(times, 0.5), p95: quantile(times, 0.95), found };
    progress(`${title}: p95 ${quantile(times, 0.95).toFixed(1)} ms`);
  }

  await api.end();

  return { records, searches };
}

interface Found {
  readonly data: readonly unknown[];
  readonly page: { readonly hasMore: boolean; readonly nextCursor: string | null };
}

function filtersOf(endpoints: readonly string[]): Record<string, readonly [string, string]> {
  const endpoint = `, endpoint: "${endpoints[3]}"`;
  const type = (name: string) => `, eventType: "${name}"`;
  const status = (name: string) => `, status: ${name}`;
  const deliveries = (filter: string) => ['webhookDeliveries', filter] as const;
  const events = (filter: string) => ['events', filter] as const;
  return {
    'no filter': deliveries(', test: false'),
    endpoint: deliveries(endpoint),
    'endpoint, failed': deliveries(endpoint + status('failed')),
    'endpoint, abandoned (none)': deliveries(endpoint + status('abandoned')),
    'endpoint, half of its types': deliveries(endpoint + type(halfType)),
    'endpoint, rare type (none)': deliveries(endpoint + type(rareType)),
    'endpoint, type, failed (none)': deliveries(endpoint + type(rareType) + status('failed')),
    type: deliveries(type(halfType)),
    'rare type': deliveries(type(rareType)),
    'type, abandoned': deliveries(type(halfType) + status('abandoned')),
    'status success': deliveries(status('success') + ', test: false'),
    'status abandoned': deliveries(status('abandoned') + ', test: false'),
    'test (rare, read through)': deliveries(', test: true'),
    'replayed (none, read through)': deliveries(', replayed: true'),
    events: events(''),
    'events of a type': events(`, type: "${halfType}"`),
    'events of a rare type': events(`, type: "${rareType}"`),
    'events of a type that has none': events(', type: "cart.order.reversed"'),
    'events of a rare subject': events(', subject: "order:rare"'),
    'events of a type and a subject (none)': events(`, type: "${halfType}", subject: "order:x"`),
  };
}

/** Inserts without the indexes of searches, which are built afterwards: half the time. */
async function fill(
  service: BenchService,
  account: string,
  endpoints: readonly string[],
  records: number,
): Promise<void> {
  const now = Date.now();
  for (let weeks = 5; weeks > 1; weeks -= 1) {
    for (const table of ['event', 'delivery'] as const) {
      const week = 7 * dayMs;
      const from = new Date((Math.floor(now / week) - weeks) * week);
      const name = `${table}_${from.toISOString().slice(0, 10).replaceAll('-', '')}`;
      await createPartition((text) => service.query(text), { table, name, from });
    }
  }

  const indexes = await service.query<{ name: string; definition: string }>(
    `select i.indexrelid::regclass::text as name,
            replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ') as definition
       from pg_index i where i.indrelid in ('event'::regclass, 'delivery'::regclass)
        and not i.indisprimary`,
  );

  await service.query(`drop index ${indexes.map(({ name }) => name).join(', ')}`);

  const times = Array.from(
    { length: moments },
    (_each, place) => new Date(now - 29 * dayMs + (place * 29 * dayMs) / moments),
  );

  const floors = (prefix: 'evt' | 'whd' | 'pdl') => times.map((time) => smallestId(prefix, time));
  const typeOf = (number: string) =>
    `case when ${number} = 7 and place % 10 = 0 then '${rareType}'
          when ${number} % 3 = 0 then '${halfType}' else '${eventType}' end`;
  const id = (floor: string, number: string) => `${floor} || lpad((${number})::text, 16, '0')`;
  const perMoment = Math.ceil(records / moments);
  await service.query(
    `insert into event (id, account_id, type, version, subject, test, body, occurred_at, created_at)
     select ${id('f', 'i')}, $3, ${typeOf('i')}, 'v1',
            case when i = 5 and place % 10 = 0 then 'order:rare' else 'order:' || place || '-' || i end,
            false, convert_to(repeat('x', 400), 'UTF8'), at, at
       from unnest($1::text[], $2::timestamptz[]) with ordinality t (f, at, place)
      cross join generate_series(1, ${Math.ceil(perMoment / 2)}) i`,
    [floors('evt'), times, account],
  );

  await service.query(
    `insert into delivery (id, account_id, endpoint_id, pending_delivery_id, event_id, event_type,
                           event_version, attempt, max_attempts, status, test, response_status,
                           duration_ms, created_at, delivered_at)
     select ${id('f', 'i')}, $5, ($6::text[])[1 + i % ${endpointCount}],
            ${id('c', 'i')}, ${id('e', '(i + 1) / 2')}, ${typeOf('((i + 1) / 2)')}, 'v1', 1, 10,
            case when i = 9 and place % 5 = 0 then 'abandoned'
                 when i % 20 = 3 then 'failed' else 'success' end,
            i = 8 and place % 5 = 0, 204, 12 + i % 100, at, at
       from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[]) with ordinality
              t (f, e, c, at, place)
      cross join generate_series(1, ${perMoment}) i`,
    [floors('whd'), floors('evt'), floors('pdl'), times, account, endpoints],
  );

  for (const { definition } of indexes) await service.query(definition);
  await service.query('vacuum (analyze) event');
  await service.query('vacuum (analyze) delivery');
  await service.query('checkpoint');
}

/** The column of the ceiling is empty: the aim is 50 ms. */
export function searchLines({ records, searches }: SearchResults): string[] {
  const among = records.toLocaleString('en');
  return Object.entries(searches).map(
    ([title, { p50, p95, found }]) =>
      `| a page among ${among} records: ${title} | p95 ${p95.toFixed(1)} ms | | | p50 ${p50.toFixed(1)} ms; found ${found} |`,
  );
}
