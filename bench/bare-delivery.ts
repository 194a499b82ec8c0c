import pg from 'pg';
import { pino } from 'pino';
import { withServerSettings } from '../src/database/address.js';
import { engineServerSettings } from '../src/domain/delivery/claim.js';
import { makeId } from '../src/domain/values/id.js';
import { createWebhookClient } from '../src/outbound/post.js';
import { signedHeaders } from './signed-headers.js';

/** Where the hand-written processes take deliveries from, and where they send them. */
export interface BareSetup {
  readonly databaseUrl: string;
  readonly logFile: string;
  readonly origin: string;
  readonly caFile: string;
  readonly secret: string;
  readonly connections: number;
}

/** A pending delivery that was taken, with the data for its attempt. */
export interface Taken {
  readonly id: string;
  readonly account_id: string;
  readonly endpoint_id: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly version: string;
  readonly body: string;
}

export interface Sent {
  readonly taken: Taken;
  readonly deliveryId: string;
  readonly startedAt: Date;
  readonly status: number;
  readonly durationMs: number;
}

/** The steps of a minimal delivery. */
export interface BareDelivery {
  /** Deletes at most `limit` due pending deliveries. */
  take(limit: number): Promise<Taken[]>;
  /** Signs and POSTs. @throws Error when the receiver does not accept */
  post(taken: Taken): Promise<Sent>;
  /** Inserts the records and writes the log lines. */
  write(sent: readonly Sent[]): Promise<void>;
}

const take = {
  name: 'take',
  text: `
    with taken as (
      delete from pending_delivery where ctid = any (array(
        select c.ctid from pending_delivery c where c.ready and c.lane = 'live'
         order by c.lane, c.account_id, c.endpoint_id, c.due_at limit $1 for update skip locked))
      returning id, account_id, endpoint_id, event_id, event_type)
    select t.*, e.version, e.body from taken t cross join lateral (
      select v.version, convert_from(v.body, 'UTF8') as body from event v
       where v.id = t.event_id limit 1) e`,
};
const record = {
  name: 'record',
  text: `
    insert into delivery (
      id, pending_delivery_id, account_id, endpoint_id, event_id, event_type, event_version, attempt,
      max_attempts, status, test, response_status, duration_ms, created_at, delivered_at)
    select i.id, i.pending_delivery, i.account, i.endpoint, i.event, i.type, i.version, 1, 10, 'success', false,
           i.status, i.duration, i.at, i.at + i.duration * interval '1 millisecond'
      from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
                  $8::int[], $9::int[], $10::timestamptz[])
           i (id, pending_delivery, account, endpoint, event, type, version, status, duration, at)`,
};

/**
 * Delivers from PostgreSQL as simply as possible, with the worker's client, the cheapest one we know. It has
 * no leases, retries, endpoints or limits, and a crash loses the deliveries it took.
 */
export function createBareDelivery(setup: BareSetup): BareDelivery {
  const pool = new pg.Pool({
    connectionString: withServerSettings(setup.databaseUrl, engineServerSettings),
    max: 4,
  });

  const webhookClient = createWebhookClient({
    timeoutMs: 15_000,
    allowPrivateTargets: { kind: 'cidrs', cidrs: ['127.0.0.0/8'] },
    caFile: setup.caFile,
    connectionsPerOrigin: setup.connections,
  });

  const output = pino.destination({ dest: setup.logFile, minLength: 16_000, sync: true });
  const log = pino({ timestamp: pino.stdTimeFunctions.isoTime }, output);
  return {
    async take(limit) {
      return (await pool.query<Taken>({ ...take, values: [limit] })).rows;
    },
    async post(taken) {
      const startedAt = new Date();
      const deliveryId = makeId('whd', startedAt);
      const { event_id: eventId, event_type: eventType } = taken;
      const body = Buffer.from(taken.body);
      const message = { eventId, eventType, deliveryId, body, at: startedAt };
      const headers = signedHeaders(setup.secret, message);
      const { outcome, durationMs } = await webhookClient.post(`${setup.origin}/`, headers, body);
      if (outcome.kind !== 'accepted')
        throw new Error(`The POST ended as ${outcome.kind}, not accepted.`);
      return { taken, deliveryId, startedAt, status: outcome.status, durationMs };
    },
    async write(sent) {
      await pool.query({ ...record, values: columnsOf(sent) });
      for (const { taken, deliveryId, status, durationMs } of sent) {
        const { id, account_id, endpoint_id, event_id, event_type } = taken;
        const names = { pending: id, account: account_id, endpoint: endpoint_id, event: event_id };
        const what = { event_type, response_status: status, duration_ms: durationMs };
        log.info({ delivery: deliveryId, ...names, ...what }, 'attempt');
      }
    },
  };
}

function columnsOf(sent: readonly Sent[]): string[] {
  const column = (value: (each: Sent) => string | number) => `{${sent.map(value).join(',')}}`;
  return [
    column(({ deliveryId }) => deliveryId),
    column(({ taken }) => taken.id),
    column(({ taken }) => taken.account_id),
    column(({ taken }) => taken.endpoint_id),
    column(({ taken }) => taken.event_id),
    column(({ taken }) => taken.event_type),
    column(({ taken }) => taken.version),
    column(({ status }) => status),
    column(({ durationMs }) => durationMs),
    column(({ startedAt }) => startedAt.toISOString()),
  ];
}
