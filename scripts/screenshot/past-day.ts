import { foldStatistics } from '../../src/domain/delivery/statistics.js';
import { makeId } from '../../src/domain/id.js';
import type { Service } from '../../test/support/service.js';
import { Random } from '../../tools/seed/random.js';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const eventTypes = ['cart.order.completed', 'cart.checkout.created', 'offer.sent'] as const;

/** How attempts at an endpoint went in the last 24 hours. */
interface Traffic {
  readonly endpoint: string;
  /** Its share of all attempts, 0 to 1. */
  readonly share: number;
  readonly types?: readonly string[];
  /** The middle of the response times. */
  readonly latencyMs: number;
  /** The share of attempts that failed, by their age. */
  readonly failing: (agoMs: number) => number;
  /** It had no attempts for so long. Defaults to 0. */
  readonly quietMs?: number;
}

/** Inserts attempts of the last 24 hours, some hundred an hour: more by day than by night. */
export async function insertPastDay(
  service: Service,
  account: string,
  traffic: readonly Traffic[],
): Promise<void> {
  const random = new Random(24);
  const now = Date.now();
  const rows = [];
  for (let hour = 0; hour < 24; hour += 1) {
    for (const each of traffic) {
      const count = Math.round(attemptsOf(now - hour * hourMs, random) * each.share);
      for (let place = 0; place < count; place += 1) {
        // The newest is a few minutes old, behind the attempts that were really made.
        const ago = hour * hourMs + random.integer(2 * minuteMs, hourMs + 2 * minuteMs);
        if (ago < (each.quietMs ?? 0)) continue;
        rows.push(rowOf(new Date(now - ago), each, random.next() < each.failing(ago), random));
      }
    }
  }

  await service.database.query(
    `insert into delivery (id, pending_delivery_id, account_id, endpoint_id, event_id, event_type,
                           event_version, attempt, max_attempts, status, test, response_status,
                           failure_reason, duration_ms, created_at, delivered_at)
     select r.id, r.pending, $1, r.endpoint, r.event, r.type, 'v1', r.attempt, 10, r.status, false,
            r.response, r.reason, r.ms, r.at, case when r.reason is null then r.at end
       from jsonb_to_recordset($2) r (id text, pending text, endpoint text, event text, type text,
            attempt int, status text, response int, reason text, ms int, at timestamptz)`,
    [account, JSON.stringify(rows)],
  );
}

function attemptsOf(time: number, random: Random): number {
  const hourOfDay = (time / hourMs) % 24;
  const curve = 280 + 190 * Math.sin(((hourOfDay - 8) / 12) * Math.PI);
  return curve * (0.92 + 0.16 * random.next());
}

function rowOf(
  at: Date,
  { endpoint, latencyMs, types = eventTypes }: Traffic,
  failed: boolean,
  random: Random,
) {
  // The sum of several numbers is close to a normal distribution.
  const spread = [1, 2, 3, 4].reduce((sum) => sum + random.next() - 0.5, 0);
  return {
    id: makeId('whd', at),
    pending: makeId('pdl', at),
    event: makeId('evt', at),
    at,
    endpoint,
    type: random.pick(types),
    attempt: failed ? random.integer(1, 3) : random.boolean(0.04) ? 2 : 1,
    status: failed ? 'failed' : 'success',
    response: failed ? random.pick([500, 502, 503, 503]) : 200,
    reason: failed ? 'http_status' : null,
    ms: Math.round(latencyMs * Math.exp(0.9 * spread)),
  };
}

/** Counts all records again, as workers do every minute. */
export async function countAgain(service: Service): Promise<void> {
  const { database } = service;
  await database.query('truncate delivery_statistics, delivery_statistics_delta');

  await database.query(
    `insert into delivery_statistics_delta (hour, success, failed, abandoned, retries, endpoint_id,
                                            durations_ms)
     select date_bin('1 hour', created_at, timestamptz '1970-01-01 00:00+00') as hour,
            count(*) filter (where status = 'success'), count(*) filter (where status = 'failed'),
            count(*) filter (where status = 'abandoned'), count(*) filter (where attempt > 1),
            endpoint_id, coalesce(array_agg(duration_ms) filter (where duration_ms is not null), '{}')
       from delivery group by hour, endpoint_id`,
  );

  const { transact } = await database.open();
  await transact((tx) => foldStatistics(tx, 10_000));
}
