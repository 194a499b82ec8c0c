import { ratios, spread } from './statistics.js';
import { smallestId } from '../src/domain/values/id.js';
import {
  createBenchAccount,
  createBenchEndpoints,
  eventType,
  bodyOf,
  insertDue,
  waitUntilGone,
} from './fixtures.js';
import type { BenchService } from './bench-service.js';
import { type ProcessorCosts, ProcessorMeter } from './costs.js';

/** Deliveries per second of one database and the cost of each, by round. */
export interface SideFigures {
  readonly perSecond: number[];
  readonly costs: ProcessorCosts[];
}

/** A database with records and a backlog, and an empty one. */
export interface HistoryFigures {
  readonly records: number;
  readonly backlog: number;
  readonly full: SideFigures;
  readonly empty: SideFigures;
}

interface Side {
  readonly service: BenchService;
  readonly account: string;
  readonly endpoints: readonly string[];
  readonly backlog: number;
  readonly figures: SideFigures;
}

const records = 1_000_000;
const eventsOfRecords = 200_000;
const backlog = 200_000;
const endpointCount = 50;
/** The records are spread over this many times of the last days; each time has its own smallest id. */
const moments = 1_000;
const body = bodyOf(1_024);

/**
 * Measures the same deliveries by one worker process in both databases, in turns. The measured
 * deliveries are due before the backlog.
 * @param count deliveries per turn
 */
export async function benchHistory(
  [full, empty]: readonly [full: BenchService, empty: BenchService],
  rounds: number,
  count: number,
  progress: (line: string) => void,
): Promise<HistoryFigures> {
  const sides = {
    full: await sideOf(full, backlog),
    empty: await sideOf(empty, 0),
  };
  progress(`inserting ${records.toLocaleString('en')} records, which takes a minute or two`);
  await fillHistory(sides.full);
  for (let round = 0; round <= rounds; round += 1) {
    for (const side of [sides.empty, sides.full]) await turn(side, count, round > 0);
    if (round > 0) progress(`with and without a history, round ${round} of ${rounds}`);
  }
  return { records, backlog, full: sides.full.figures, empty: sides.empty.figures };
}

async function sideOf(service: BenchService, waiting: number): Promise<Side> {
  const account = await createBenchAccount(service);
  const urls = Array.from({ length: endpointCount }, () => `${service.receiverOrigin}/`);
  const endpoints = await createBenchEndpoints(service, account, urls);
  return { service, account, endpoints, backlog: waiting, figures: { perSecond: [], costs: [] } };
}

/**
 * Starts a worker, warms it up, measures `count` deliveries, and delivers some more so that it stays busy.
 * Endpoints progress at different speeds, so the deliveries during the measurement are counted.
 */
async function turn(side: Side, count: number, measured: boolean): Promise<void> {
  const { service, endpoints, figures } = side;
  await refill(side);

  const begin = smallestId('whd', new Date());
  const due = "now() - interval '1 day'";
  const lap = (pendingDeliveries: number, place: number) =>
    insertDue(
      service,
      endpoints,
      body,
      pendingDeliveries,
      `${due} + ${place} * interval '1 minute'`,
    );

  const first = await lap(Math.ceil(count / 4), 0);
  const wanted = await lap(count, 1);
  const last = await lap(Math.ceil(count / 2), 2);
  const worker = await service.startWorker();
  const meter = new ProcessorMeter({
    worker: worker.pid,
    PostgreSQL: service.postgresPid,
    receiver: service.receiver.pid,
  });

  service.wake();
  await waitUntilGone(service, first.slice(-endpointCount));

  let delivered = -(await recordedSince(side, begin));
  const elapsedMs = await meter.during(1, async () => {
    const startedAt = performance.now();
    await waitUntilGone(service, wanted.slice(-endpointCount));
    return performance.now() - startedAt;
  });

  delivered += await recordedSince(side, begin);
  await waitUntilGone(service, last.slice(-endpointCount));
  await worker.end();
  if (!measured) return;

  figures.perSecond.push((delivered / elapsedMs) * 1_000);

  const costs = Object.entries(meter.costs()).map(
    ([who, each]) => [who, each / delivered] as const,
  );
  figures.costs.push(Object.fromEntries(costs));
}

async function recordedSince({ service, account }: Side, floor: string): Promise<number> {
  const [row] = await service.query<{ count: number }>(
    'select count(*)::int as count from delivery where account_id = $1 and id >= $2',
    [account, floor],
  );
  return row?.count ?? 0;
}

/** Fills up the backlog. It is due later than the measured deliveries, so it is claimed later. */
async function refill({ service, endpoints, backlog: wanted }: Side): Promise<void> {
  const [row] = await service.query<{ count: number }>(
    'select count(*)::int as count from pending_delivery',
  );
  for (let missing = wanted - (row?.count ?? 0); missing > 0; missing -= 50_000) {
    await insertDue(service, endpoints, body, Math.min(missing, 50_000));
  }
}

async function fillHistory({ service, account, endpoints }: Side): Promise<void> {
  const now = Date.now();
  const spanMs = 6 * 86_400_000;
  const times = Array.from(
    { length: moments },
    (_each, place) => new Date(now - spanMs + (place * spanMs) / moments),
  );

  const floors = (prefix: 'evt' | 'whd' | 'pdl') => times.map((time) => smallestId(prefix, time));
  const series = (of: number) => `generate_series(1, ${of / moments}) i`;
  const id = (floor: string, number: string) => `${floor} || lpad((${number})::text, 16, '0')`;
  const perEvent = records / eventsOfRecords;

  await service.query(
    `insert into event (id, account_id, type, version, subject, test, body, occurred_at, created_at)
     select ${id('f', 'i')}, $4, $2, 'v1', 'order:bench', false, convert_to($3, 'UTF8'),
            now(), now() from unnest($1::text[]) f cross join ${series(eventsOfRecords)}`,
    [floors('evt'), eventType, body, account],
  );

  await service.query(
    `insert into delivery (id, account_id, endpoint_id, pending_delivery_id, event_id, event_type,
                           event_version, attempt, max_attempts, status, test, response_status,
                           duration_ms, created_at, delivered_at)
     select ${id('f', 'i')}, $6, ($5::text[])[1 + i % ${endpointCount}],
            ${id('c', 'i')}, ${id('e', `(i - 1) / ${perEvent} + 1`)}, $4, 'v1', 1, 10,
            case when i % 50 = 0 then 'failed' else 'success' end, false, 204, 12, now(), now()
       from unnest($1::text[], $2::text[], $3::text[]) t (f, e, c) cross join ${series(records)}`,
    [floors('whd'), floors('evt'), floors('pdl'), eventType, endpoints, account],
  );

  await service.query('vacuum (analyze) event');
  await service.query('vacuum (analyze) delivery');
  await service.query('checkpoint');
}

/** The empty database is in the column of the ceiling. */
export function historyLines({ records, backlog, full, empty }: HistoryFigures): string[] {
  const past = records.toLocaleString('en');
  const waiting = backlog.toLocaleString('en');
  const line = (what: string, unit: string, candidate: number[], ceiling: number[]) =>
    `| ${what}, ${past} records and ${waiting} due | ${spread(candidate)}${unit} | ${spread(ceiling)}${unit} (empty) | ${spread(ratios(candidate, ceiling), 2)} | |`;
  const cost = (process: string) => {
    const of = ({ costs }: typeof full) => costs.map((cost) => cost[process] ?? Number.NaN);
    return line(`${process} for a delivery`, ' µs', of(full), of(empty));
  };
  return [
    line('deliveries', '/s', full.perSecond, empty.perSecond),
    ...['worker', 'PostgreSQL', 'receiver'].map(cost),
  ];
}
