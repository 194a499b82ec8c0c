import { createHash, randomBytes } from 'node:crypto';
import { createMember } from '../../src/domain/account/accounts.js';
import { makeId } from '../../src/domain/id.js';
import type { Service } from '../../test/support/service.js';
import type { Tenant } from '../../test/support/tenants.js';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const firefox =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0';
const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36';

const people = [
  { name: 'ada', role: 'owner', daysAgo: 214.1 },
  { name: 'grace', role: 'admin', daysAgo: 180.3 },
  { name: 'alan', role: 'developer', daysAgo: 96.2 },
  { name: 'joan', role: 'viewer', daysAgo: 5.07 },
] as const;

/** The ids of the members, by their names. */
type People = Readonly<Record<(typeof people)[number]['name'], string>>;

/** Creates four members with different roles, and moves what the account has into the past. */
export async function createPeople(service: Service, { account }: Tenant): Promise<People> {
  const { database } = service;
  const { transact } = await database.open();
  const ids: Record<string, string> = {};

  for (const { name, role, daysAgo } of people) {
    const { id } = await transact((tx) =>
      createMember(tx, { account, email: `${name}@example.com`, role }),
    );
    await database.query(
      `update member set created_at = now() - $2 * interval '1 day' where id = $1`,
      [id, daysAgo],
    );

    ids[name] = id;
  }

  await database.query(
    `update account set created_at = now() - interval '214.2 days' where id = $1`,
    [account],
  );

  await database.query(
    `update credential set created_at = now() - interval '213.4 days',
            last_used_at = case when kind = 'live' then now() - interval '14 seconds' end
      where account_id = $1`,
    [account],
  );

  return ids as People;
}

/** Gives the session of the page an earlier beginning, and its member another session. */
export async function addSession({ database }: Service, { account }: Tenant, member: string) {
  await database.query(
    `update session set created_at = now() - interval '25 minutes' where member_id = $1`,
    [member],
  );

  const at = new Date(Date.now() - 4 * hourMs);
  await database.query(
    `insert into session (id, account_id, member_id, token_sha256, user_agent, created_at, last_used_at)
     values ($1, $2, $3, $4, $5, $6, now() - interval '52 minutes')`,
    [
      makeId('ses', at),
      account,
      member,
      createHash('sha256').update(randomBytes(32)).digest(),
      firefox,
      at,
    ],
  );
}

/** Replaces the audit log by one of the last days. */
export async function writeAuditLog(
  { database }: Service,
  { account }: Tenant,
  { ada, grace, alan, joan }: People,
  endpoints: {
    readonly orders: string;
    readonly books: string;
    readonly data: string;
    readonly shop: string;
  },
): Promise<void> {
  const by = (name: string, member: string, address: string, userAgent: string) => ({
    kind: 'session',
    member,
    address,
    userAgent,
    email: `${name}@example.com`,
  });

  const byAda = by('ada', ada, '198.51.100.23', chrome);
  const byGrace = by('grace', grace, '198.51.100.61', firefox);
  const byAlan = by('alan', alan, '203.0.113.140', chrome);
  const enabled = { field: 'active', from: 'false', to: 'true' };
  const entries = [
    {
      ago: 21 * minuteMs,
      action: 'endpoint_updated',
      resource: endpoints.shop,
      ...byAda,
      changes: [enabled],
    },
    { ago: 25 * minuteMs, action: 'session_opened', ...byAda },
    {
      ago: 3.2 * hourMs,
      action: 'test_event_sent',
      resource: endpoints.orders,
      ...byGrace,
      changes: [{ field: 'type', to: 'offer.sent' }],
    },
    {
      ago: 7.1 * hourMs,
      action: 'signing_secret_rotated',
      resource: endpoints.books,
      ...byAlan,
    },
    {
      ago: 22.4 * hourMs,
      action: 'endpoint_updated',
      resource: endpoints.data,
      kind: 'api_key',
      address: '198.51.100.40',
      changes: [{ field: 'event_types', to: 'offer.sent' }],
    },
    {
      ago: 5.07 * dayMs,
      action: 'member_created',
      resource: joan,
      ...byGrace,
      changes: [{ field: 'role', to: 'viewer' }],
    },
  ];

  const rows = entries.map(({ ago, ...entry }) => {
    const at = new Date(Date.now() - ago);
    return { id: makeId('aud', at), at, changes: [], ...entry };
  });

  // The trigger of the log lets only statements delete that say so.
  await database.query(
    `delete from audit_entry where set_config('signalpost.audit_deletes', 'on', true) = 'on'`,
  );

  await database.query(
    `insert into audit_entry (id, account_id, action, resource_id, actor_kind, credential_id, member_id,
                              member_email, address, user_agent, changes, created_at)
     select r.id, $1, r.action, r.resource, r.kind,
            case when r.kind = 'api_key'
                 then (select c.id from credential c where c.account_id = $1 and c.kind = 'live' limit 1) end,
            r.member, r.email, r.address, r."userAgent",
            r.changes, r.at
       from jsonb_to_recordset($2) r (id text, action text, resource text, kind text, member text,
            email text, address text, "userAgent" text, changes jsonb, at timestamptz)`,
    [account, JSON.stringify(rows)],
  );
}
