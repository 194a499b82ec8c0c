import { createHash } from 'node:crypto';
import Router from '@koa/router';
import pg from 'pg';
import { envelopeBytes } from '../../src/domain/event/prepare-event.js';
import { makeId, smallestId } from '../../src/domain/values/id.js';
import { readText, serveRoutes } from '../plain-server.js';

interface Setup {
  readonly databaseUrl: string;
  readonly pool: number;
  readonly logFile: string;
  /** Whether publishes that arrive during a commit share the next one. */
  readonly grouped?: boolean;
  /** Each commit notifies it. Defaults to none. */
  readonly channel?: string;
}

/**
 * The ceiling of publishing: a hand-written Koa route that checks the credential and stores the event
 * and its pending delivery in one prepared statement. It has no GraphQL, validation, keys or limits, and
 * does not check account and type.
 */
const setup = JSON.parse(process.argv[2] ?? '{}') as Setup;
const { databaseUrl, pool: max, logFile, grouped = false, channel } = setup;
const pool = new pg.Pool({ connectionString: databaseUrl, max });
/** As long as the API keeps a credential. */
const keepMs = 1_000;

const credential = {
  name: 'credential',
  text: `select c.id, c.revoked_at is not null or coalesce(c.expires_at <= now(), false) as over
         from credential c join member m on m.id = c.member_id where c.token_sha256 = $1`,
};
/** One row for each event; the bodies lie behind each other in one parameter. */
const inputAndStored = `
  input as materialized (
    select id, account, type, subject, at, delivery, substr($7::bytea, start, length) as body
      from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::timestamptz[], $6::text[],
                  $8::int[], $9::int[]) i (id, account, type, subject, at, delivery, start, length)
  ), stored as (
    insert into event (id, account_id, type, version, subject, test, body, occurred_at, created_at)
    select id, account, type, 'v1', subject, false, body, at, at from input
  )`;
const insertPending = `
  insert into pending_delivery (id, account_id, endpoint_id, event_id, event_type, lane, ready,
                                due_at, attempt, max_attempts, test, created_at)
  select i.delivery || substr(replace(gen_random_uuid()::text, '-', ''), 1, 16),
         i.account, e.id, i.id, i.type, 'live', true, i.at, 1, 8, false, i.at
    from input i join endpoint e on e.account_id = i.account
   where e.deleted_at is null and e.active and i.type = any (e.event_types)`;
const insert = {
  name: 'insert',
  text: channel
    ? `with ${inputAndStored}, pending as (${insertPending}) select pg_notify('${channel}', '')`
    : `with ${inputAndStored} ${insertPending}`,
};

interface Stored {
  readonly id: string;
  readonly account: string;
  readonly type: string;
  readonly subject: string;
  readonly at: Date;
  readonly body: Buffer;
}

async function store(events: readonly Stored[]): Promise<void> {
  const starts: number[] = [];
  let start = 1;

  for (const { body } of events) {
    starts.push(start);
    start += body.length;
  }

  await pool.query({
    ...insert,
    values: [
      events.map(({ id }) => id),
      events.map(({ account }) => account),
      events.map(({ type }) => type),
      events.map(({ subject }) => subject),
      events.map(({ at }) => at),
      events.map(({ at }) => smallestId('pdl', at)),
      Buffer.concat(events.map(({ body }) => body)),
      starts,
      events.map(({ body }) => body.length),
    ],
  });
}

interface Waiting {
  readonly event: Stored;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}
let waiting: Waiting[] = [];
let committing = false;

/** Stores the event with those that wait; one commit is in flight. */
function storeGrouped(event: Stored): Promise<void> {
  return new Promise((resolve, reject) => {
    waiting.push({ event, resolve, reject });
    if (!committing) void commitAll();
  });
}

async function commitAll(): Promise<void> {
  committing = true;
  while (waiting.length > 0) {
    const group = waiting;
    waiting = [];
    try {
      await store(group.map(({ event }) => event));
      for (const { resolve } of group) resolve();
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }
  committing = false;
}

const kept = new Map<string, { readonly valid: Promise<boolean>; readonly until: number }>();

/** Whether the header has a valid credential, as the database said at most a second ago. */
function isValid(header: string): Promise<boolean> {
  const known = kept.get(header);
  if (known && known.until > performance.now()) return known.valid;
  const token = createHash('sha256').update(header.slice(7)).digest();
  const valid = pool
    .query<{ over: boolean }>({ ...credential, values: [token] })
    .then(({ rows }) => rows[0]?.over === false);
  kept.set(header, { valid, until: performance.now() + keepMs });
  return valid;
}

interface Request {
  readonly variables: {
    readonly input: {
      readonly account: string;
      readonly type: string;
      readonly subject: string;
      readonly data: Record<string, unknown>;
    };
  };
}

const router = new Router();
router.post('/graphql', async (context) => {
  if (!(await isValid(context.get('authorization')))) context.throw(401);
  const { variables } = JSON.parse(await readText(context.req)) as Request;
  const { account, type, subject, data } = variables.input;
  const at = new Date();
  const id = makeId('evt', at);
  const envelope = { id, type, subject, data, test: false, version: 'v1', time: at.toISOString() };
  const body = envelopeBytes({ ...envelope, baseUrl: 'http://localhost' });
  const event = { id, account, type, subject, at, body };
  await (grouped ? storeGrouped(event) : store([event]));
  context.body = { data: { publishEvent: { id } } };
});

serveRoutes(router, logFile);
