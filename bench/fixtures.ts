import { hashToken, makeToken } from '../src/domain/account/token.js';
import { makeSecret } from '../src/domain/endpoint/secrets.js';
import { makeId } from '../src/domain/id.js';
import { benchSealer, type BenchService } from './bench-service.js';

/** The one event type of all benchmarks. */
export const eventType = 'cart.order.completed';

const subscribers = 20;

/** Creates an account. @returns its id */
export async function createBenchAccount(service: BenchService): Promise<string> {
  const id = makeId('acc', new Date());
  await service.query(`insert into account (id, name, created_at) values ($1, 'Bench', now())`, [
    id,
  ]);
  return id;
}

/** Creates a credential of an owner of `account`. @returns its token */
export async function createBenchToken(
  service: BenchService,
  account: string,
  kind: 'live' | 'internal',
): Promise<string> {
  const at = new Date();
  const member = makeId('mem', at);
  const token = makeToken(kind);

  await service.query(
    `insert into member (id, account_id, email, role, created_at) values ($1, $2, $3, 'owner', now())`,
    [member, account, `${member}@example.com`],
  );

  await service.query(
    `insert into credential (id, account_id, member_id, kind, level, token_sha256, last4, created_at)
     values ($1, $2, $3, $4, 'full', $5, $6, now())`,
    [makeId('crd', at), account, member, kind, hashToken(token), token.slice(-4)],
  );

  return token;
}

/** Creates endpoints that subscribe to {@link eventType}, each with a secret. @returns their ids */
export async function createBenchEndpoints(
  service: BenchService,
  account: string,
  urls: readonly string[],
): Promise<string[]> {
  const at = new Date();
  const endpoints = urls.map((url) => {
    const id = makeId('whs', at);
    const { keyId, sealed } = benchSealer.seal(makeSecret(), id);
    return { id, url, keyId, sealed, secret: makeId('sec', at) };
  });

  await service.query(
    `insert into endpoint (id, account_id, url, active, notification_email, event_types, created_at, updated_at)
     select id, $1, url, true, 'bench@example.com', $4, now(), now()
       from unnest($2::text[], $3::text[]) t (id, url)`,
    [account, endpoints.map(({ id }) => id), endpoints.map(({ url }) => url), [eventType]],
  );

  await service.query(
    `insert into endpoint_secret (id, endpoint_id, key_id, sealed, created_at)
     select id, endpoint_id, key_id, sealed, now()
       from unnest($1::text[], $2::text[], $3::text[], $4::bytea[]) t (id, endpoint_id, key_id, sealed)`,
    [
      endpoints.map(({ secret }) => secret),
      endpoints.map(({ id }) => id),
      endpoints.map(({ keyId }) => keyId),
      endpoints.map(({ sealed }) => sealed),
    ],
  );

  return endpoints.map(({ id }) => id);
}

/** Creates 20 accounts with one endpoint each. @returns the accounts */
export async function createSubscribers(service: BenchService, port: number): Promise<string[]> {
  const accounts: string[] = [];
  for (let place = 0; place < subscribers; place += 1) {
    const account = await createBenchAccount(service);
    await createBenchEndpoints(service, account, [`https://localhost:${port}/${place}`]);
    accounts.push(account);
  }
  return accounts;
}
