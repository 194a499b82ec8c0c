import { createHash } from 'node:crypto';
import Router from '@koa/router';
import pg from 'pg';
import { Sealer } from '../../src/domain/values/sealer.js';
import { makeSecret } from '../../src/domain/endpoint/secrets.js';
import { makeId } from '../../src/domain/values/id.js';
import { readText, serveRoutes } from '../plain-server.js';

interface Setup {
  readonly databaseUrl: string;
  readonly pool: number;
  readonly logFile: string;
}

/**
 * The ceiling of the REST API: two hand-written Koa routes with the same SQL statements and the same
 * log line, but without contract, GraphQL, validation and rate limits.
 */
const { databaseUrl, pool: max, logFile } = JSON.parse(process.argv[2] ?? '{}') as Setup;
const pool = new pg.Pool({ connectionString: databaseUrl, max });
const sealer = new Sealer([{ id: 'b1', key: Buffer.alloc(32, 5) }]);
const columns = `id, url, active, description, notification_email, event_types, disabled_reason, created_at, updated_at`;

const credential = {
  name: 'credential',
  text: `select c.id, c.account_id as account, c.kind, c.level, m.role,
           c.revoked_at is not null as revoked, coalesce(c.expires_at <= now(), false) as expired
         from credential c join member m on m.id = c.member_id where c.token_sha256 = $1`,
};
const find = {
  name: 'find',
  text: `select ${columns} from endpoint where id = $1 and account_id = $2 and deleted_at is null`,
};
const readKeyState = {
  name: 'look-up',
  text: `select fingerprint, pending_delivery_id, status, body, location from idempotency_record
         where account_id = $1 and key = $2 and (expires_at is null or expires_at > now())`,
};
const types = {
  name: 'types',
  text: `select id, accepts_new_subscriptions, listed from event_type where id = any($1) for share`,
};
const insert = {
  name: 'insert',
  text: `insert into endpoint (id, account_id, url, active, description, notification_email, event_types, created_at, updated_at)
         values ($1, $2, $3, true, null, $4, $5, $6, $6) returning ${columns}`,
};
const insertSecret = {
  name: 'insert-secret',
  text: `insert into endpoint_secret (id, endpoint_id, key_id, sealed, created_at) values ($1, $2, $3, $4, $5)`,
};
const recordResponse = {
  name: 'store',
  text: `insert into idempotency_record (account_id, key, fingerprint, status, body, location, expires_at, created_at)
         values ($1, $2, $3, 201, $4, $5, now() + interval '24 hours', now()) on conflict do nothing`,
};

interface Endpoint {
  readonly id: string;
}

async function authenticate(header: string): Promise<{ id: string; account: string } | undefined> {
  const token = createHash('sha256').update(header.slice(7)).digest();
  const { rows } = await pool.query<{ id: string; account: string }>({
    ...credential,
    values: [token],
  });
  return rows[0];
}

async function create(account: string, key: string, text: string): Promise<unknown> {
  const body = JSON.parse(text) as {
    url: string;
    event_types: string[];
    notification_email: string;
  };

  const client = await pool.connect();
  try {
    const lock = createHash('sha256').update(`${account}\0${key}`).digest().readBigInt64BE();
    const startedAt = (await client.query(
      `BEGIN; SELECT now() AS now, pg_try_advisory_xact_lock(${lock}) AS locked`,
    )) as unknown as [unknown, pg.QueryResult<{ now: Date }>];
    const now = startedAt[1].rows[0]?.now ?? new Date();

    await client.query({ ...readKeyState, values: [account, key] });
    await client.query({ ...types, values: [body.event_types] });

    const id = makeId('whs', now);
    const secret = makeSecret();
    const { keyId, sealed } = sealer.seal(secret, id);
    const { rows } = await client.query<Endpoint>({
      ...insert,
      values: [id, account, body.url, body.notification_email, body.event_types, now],
    });

    await client.query({ ...insertSecret, values: [makeId('sec', now), id, keyId, sealed, now] });

    const fingerprint = createHash('sha256').update(`POST\n${text}`).digest();
    await client.query({
      ...recordResponse,
      values: [
        account,
        key,
        fingerprint,
        JSON.stringify({ data: rows[0] }),
        `/v1/webhooks/endpoints/${id}`,
      ],
    });

    await client.query('COMMIT');

    return { data: { ...rows[0], signing_secret: secret } };
  } finally {
    client.release();
  }
}

const router = new Router();
router.get('/v1/webhooks/endpoints/:id', async (context) => {
  const viewer = await authenticate(context.get('authorization'));
  const { rows } = await pool.query<Endpoint>({
    ...find,
    values: [context.params['id'], viewer?.account],
  });
  context.body = { data: rows[0] };
});
router.post('/v1/webhooks/endpoints', async (context) => {
  const viewer = await authenticate(context.get('authorization'));
  const text = await readText(context.req);
  context.body = await create(viewer?.account ?? '', context.get('idempotency-key'), text);
  context.status = 201;
});

serveRoutes(router, logFile);
