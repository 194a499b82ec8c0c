import { expect } from 'chai';
import { GraphQLObjectType } from 'graphql';
import { createMember } from '../../../src/domain/account/accounts.js';
import type { Viewer } from '../../../src/domain/account/credentials.js';
import { roles } from '../../../src/domain/account/permission.js';
import { actorOf } from '../../../src/domain/transaction/actor.js';
import { findSession, openSession } from '../../../src/domain/session/sessions.js';
import {
  findPortalSession,
  openPortalSession,
} from '../../../src/domain/portal/portal-sessions.js';
import type { Context } from '../../../src/graphql/context.js';
import { buildSchema } from '../../../src/graphql/schema.js';
import {
  Client,
  createFixture,
  type Fixture,
  operationDocuments,
  checkoutInput,
  endpointInput,
  offerInput,
} from './fixture.js';

/** Mutations that the audit log leaves out: events are a log of their own. */
const unaudited = ['publishEvent', 'publishEvents'];

/** Each mutation once, in an order in which all succeed. An operator calls them. */
const auditedMutations: readonly AuditedMutation[] = [
  byId('replayDelivery', 'delivery_replayed', 'delivery'),
  byId('rotateSigningSecret', 'signing_secret_rotated', 'endpoint'),
  making('createWebhookEndpoint', 'endpoint_created', 'newEndpoint', ({ account }) =>
    inputOf(endpointInput, account),
  ),
  byId('updateWebhookEndpoint', 'endpoint_updated', 'endpoint', 'input: { description: "Other" }'),
  byId('replaceEventSubscriptions', 'endpoint_updated', 'endpoint', 'eventTypes: ["offer.sent"]'),
  on('setSendsTraceparent', 'account_updated', 'account', ({ account = '' }) =>
    [`account: "${account}"`, 'sends: true'].join(', '),
  ),
  byId('setEndpointRateLimit', 'rate_limit_changed', 'endpoint', 'maxPerSecond: 5'),
  byId(
    'setEndpointOptions',
    'endpoint_options_changed',
    'endpoint',
    'input: { retrySchedule: "fast", publicKeySignature: true }',
  ),
  byId('rotateEndpointPublicKey', 'public_key_rotated', 'endpoint'),
  on('sendTestEvent', 'test_event_sent', 'endpoint', ({ account = '', endpoint = '' }) =>
    input({ account, endpoint, type: 'offer.sent' }),
  ),
  on('releaseDeadLetter', 'dead_letter_released', 'deadLetter', ({ deadLetter = '' }) =>
    id(deadLetter),
  ),
  { ...scalar('releaseIsolatedDeliveries', 'isolated_deliveries_released'), resource: null },
  { ...byId('giveUpDelivery', 'delivery_given_up', 'deadLetter'), selection: '' },
  making('startRecovery', 'recovery_started', 'recovery', ({ account = '', endpoint = '' }) =>
    [
      `account: "${account}"`,
      `input: { endpoint: "${endpoint}", what: both, idempotencyKey: "k" }`,
    ].join(', '),
  ),
  byId('pauseRecovery', 'recovery_paused', 'recovery'),
  byId('resumeRecovery', 'recovery_resumed', 'recovery'),
  byId('cancelRecovery', 'recovery_cancelled', 'recovery'),
  { ...byId('deleteWebhookEndpoint', 'endpoint_deleted', 'endpoint'), selection: '' },
  byId('refundPayment', 'payment_refunded', 'payment', 'input: { amountMinorUnits: 1 }'),
  making('createOffer', 'offer_created', 'newOffer', ({ account }) => inputOf(offerInput, account)),
  byId('sendOffer', 'offer_sent', 'offer'),
  byId('resendOffer', 'offer_sent', 'sentOffer'),
  byId('cancelOffer', 'offer_cancelled', 'sentOffer'),
  making('createCheckout', 'checkout_created', 'newCheckout', ({ account }) =>
    input({ ...checkoutInput, metadata: {}, account }),
  ),
  {
    ...on('recordPayment', 'payment_recorded', 'answer', ({ newCheckout = '' }) =>
      input({ checkout: newCheckout }),
    ),
    selection: '{ payment { id } }',
  },
  making('createAccount', 'account_created', 'newAccount', () => input({ name: 'New' })),
  making('createMember', 'member_created', 'newMember', ({ account }) =>
    input({ account, email: 'bo@shop.example' }, 'role: viewer'),
  ),
  on('changeMemberRole', 'member_role_changed', 'newMember', ({ account, newMember }) =>
    input({ account, member: newMember }, 'role: admin'),
  ),
  making('createCredential', 'credential_created', 'newCredential', ({ account, newMember }) =>
    input({ account, member: newMember }, 'kind: live'),
  ),
  {
    ...on('revokeCredential', 'credential_revoked', 'newCredential', ({ newCredential = '' }) =>
      id(newCredential),
    ),
    selection: '',
  },
  { ...byId('removeMember', 'member_removed', 'newMember'), selection: '' },
  on('putEventType', 'event_type_put', 'type', ({ type }) =>
    input(
      { id: type, category: 'tea', summary: 'Tea', description: 'Tea was brewed.' },
      'offered: true, validation: enforce, versions: [{ version: "v1", schema: { type: "object" }, example: {} }]',
    ),
  ),
  {
    ...on('applyCatalogue', 'event_type_put', 'type', ({ type }) => {
      const texts = { category: 'tea', summary: 'Tea time', description: 'Tea was brewed.' };
      const file = { event_types: [{ id: type, ...texts, offered: true, validation: 'enforce' }] };
      return `file: ${JSON.stringify(JSON.stringify(file))}`;
    }),
    selection: '{ missing }',
  },
  on('retireEventType', 'event_type_retired', 'type', ({ type = '' }) => id(type)),
  on('unlistEventType', 'event_type_unlisted', 'type', ({ type = '' }) => id(type)),
  {
    ...on('eraseBuyer', 'buyer_erasure_started', 'none', ({ account }) =>
      input({ account, email: 'buyer@example.com' }),
    ),
    resource: null,
  },
  {
    ...on('updatePortalSettings', 'portal_settings_updated', 'account', ({ account }) =>
      input({ account }, 'origins: ["https://shop.example"]'),
    ),
    selection: '{ origins }',
  },
  making('createPortalLink', 'portal_link_created', 'portalLink', ({ account }) =>
    input({ account }, 'role: viewer'),
  ),
  { ...byId('endPortalSession', 'portal_session_ended', 'portalSession'), selection: '' },
  {
    ...on(
      'endPortalSessions',
      'portal_session_ended',
      'none',
      ({ account = '' }) => `account: "${account}"`,
    ),
    resource: null,
    selection: '',
  },
  on('eraseAccount', 'account_erasure_started', 'other', ({ other = '' }) =>
    [`account: "${other}"`, `confirm: "${other}"`].join(', '),
  ),
  { ...on('endSession', 'session_ended', 'session', idOf('session')), selection: '' },
  { ...scalar('endOtherSessions', 'session_ended'), resource: 'otherSession' },
];

describe('the audit log of GraphQL', () => {
  let fixture: Fixture;
  let client: Client;
  let operator: Viewer;

  before(async () => {
    fixture = await createFixture();
    client = new Client(fixture);
    await client.start();
    operator = await fixture.viewer('internal');
  });

  after(async () => {
    await client.stop();
    await fixture.drop();
  });

  const entries = () =>
    fixture.test.query<{ action: string; resource: string | null; member: string }>(
      'select action, resource_id as resource, member_id as member from audit_entry order by id',
    );

  /** Opens a session of the member whose credential the operator uses. */
  async function openFor(accountId: string, memberId: string): Promise<string> {
    const { transact, read } = fixture.database;
    const signing = { userAgent: 'Test', replaced: undefined };
    const token = await transact((tx) =>
      openSession(tx, { linkId: 'lnk_1', accountId, memberId }, signing),
    );
    const session = await findSession(read, token);
    if (typeof session === 'string') throw new Error(session);
    return session.viewer.credential;
  }

  /** Opens two sessions of the portal. @returns the id of one of them */
  async function openPortal(accountId: string): Promise<string> {
    const holder = { id: 'plk_1', accountId, memberId: null, role: 'viewer', theme: null } as const;
    const browser = { userAgent: 'Test', replaced: undefined };
    const { transact, read } = fixture.database;
    const open = () => transact((tx) => openPortalSession(tx, holder, browser));
    await open();
    const session = await findPortalSession(read, (await open()).cookie);
    if (typeof session === 'string') throw new Error(session);
    return session.viewer.credential;
  }

  /** Runs a mutation as the operator, from an address. */
  async function run(field: string, call: string, selection: string): Promise<unknown> {
    const actor = actorOf(operator, { address: '192.0.2.7', userAgent: 'Test' });
    const transact: Context['transact'] = (work) => fixture.database.transact(work, { actor });
    const text = `mutation { done: ${field}${call && `(${call})`} ${selection} }`;
    const { data, refusal } = await client.run(operator, text, {}, { transact });
    if (refusal) throw new Error(`${text}: ${JSON.stringify(refusal)}`);
    return data?.['done'];
  }

  async function deadLetter(): Promise<string> {
    const [row] = await fixture.test.query<{ id: string }>(
      `update pending_delivery set dead_letter_reason = 'why', ready = false, lane = 'isolated'
        where id = (select max(id) from pending_delivery) returning id`,
    );
    return row?.id ?? '';
  }

  it('the test covers every mutation, even those behind /v1', () => {
    const { Mutation } = buildSchema().getTypeMap();
    const all = Mutation instanceof GraphQLObjectType ? Object.keys(Mutation.getFields()) : [];
    const audited = auditedMutations.map(({ field }) => field);
    expect([...audited, ...unaudited]).to.have.members(all);
    const behindRest = [...operationDocuments().values()].flatMap((text) => {
      const [, field] = /^mutation[^{]*\{\s*(?:\w+:\s*)?(\w+)/.exec(text.trim()) ?? [];
      return field === undefined ? [] : [field];
    });
    expect(behindRest).to.have.length(11);
    expect(audited).to.include.members(behindRest);
  });

  it('records every mutation, with who made it', async () => {
    const { account, other, endpoint, delivery, payment, offer, sentOffer } = fixture;
    let ids: Ids = {
      account,
      other,
      endpoint,
      delivery,
      payment,
      offer,
      sentOffer,
      session: await openFor(operator.account, operator.member ?? ''),
      otherSession: await openFor(operator.account, operator.member ?? ''),
      portalSession: await openPortal(account),
      type: 'shop.tea.brewed',
    };

    for (const { field, action, call, selection, resource, makes } of auditedMutations) {
      if (resource === 'deadLetter') ids = { ...ids, deadLetter: await deadLetter() };

      const before = (await entries()).length;
      const done = await run(field, call(ids), selection);
      const [, answer = ''] = /"id":"(\w+)"/.exec(JSON.stringify(done)) ?? [];
      const changed =
        resource === null ? null : resource === 'answer' ? answer : (ids[resource] ?? '');
      expect((await entries()).slice(before), field).to.deep.equal([
        { action, resource: changed, member: operator.member },
      ]);
      if (makes !== undefined) ids = { ...ids, [makes]: answer };
    }
  });

  it('records no repetition that changes nothing', async () => {
    const { account, database } = fixture;
    const { id } = await database.transact((tx) =>
      createMember(tx, { account, email: 'cy@shop.example', role: 'viewer' }),
    );
    const before = await entries();
    const input = `account: "${account}", member: "${id}", role: viewer`;
    await run('changeMemberRole', `input: { ${input} }`, '{ id }');
    expect(await entries()).to.deep.equal(before);
  });

  it('H193: shows the log to sessions of owners and admins, without the identity of operators', async () => {
    const { account, database } = fixture;
    const log = '{ auditLog { data { actorKind memberId credentialId address userAgent } } }';

    for (const role of roles) {
      const { id } = await database.transact((tx) =>
        createMember(tx, { account, email: `${role}@shop.example`, role }),
      );
      const credential = await openFor(account, id);
      const permissions = { webhooks: 'write', orders: 'write' } as const;
      const viewer: Viewer = { credential, kind: 'dashboard', account, member: id, permissions };
      const { data, refusal } = await client.run(viewer, log);

      if (role !== 'owner' && role !== 'admin') {
        expect(refusal?.code, role).to.equal('forbidden');
        continue;
      }

      const entries = data?.['auditLog']?.['data'] as readonly object[];
      expect(entries[0], role).to.deep.equal({
        actorKind: 'operator',
        memberId: null,
        credentialId: null,
        address: null,
        userAgent: null,
      });
    }
  });

  it('records the address of the member, and where the change came from', async () => {
    const { account, test } = fixture;
    await run(
      'createMember',
      `input: { account: "${account}", email: "di@shop.example", role: viewer }`,
      '{ id }',
    );

    const [last] = await test.query(
      `select actor_kind, credential_id, member_email = m.email as "isAddress", address, user_agent,
              changes, now() - a.created_at < interval '1 hour' as recent
         from audit_entry a join member m on m.id = a.member_id order by a.id desc limit 1`,
    );

    expect(last).to.deep.equal({
      actor_kind: 'operator',
      credential_id: operator.credential,
      isAddress: true,
      address: '192.0.2.7',
      user_agent: 'Test',
      recent: true,
      changes: [
        { to: 'di@shop.example', field: 'email' },
        { to: 'viewer', field: 'role' },
      ],
    });
  });
});

/** Ids of the fixture, and of what earlier mutations made, by name. */
type Ids = Readonly<Record<string, string>>;

/** One mutation, and what the audit log says of it. */
interface AuditedMutation {
  readonly field: string;
  readonly action: string;
  /** Its arguments. */
  readonly call: (ids: Ids) => string;
  /** The fields of its answer; empty for a scalar. */
  readonly selection: string;
  /** The name of the id of what is changed; `answer` for that of the answer; null for none. */
  readonly resource: string | null;
  /** The name that the id of the answer gets for later mutations. */
  readonly makes?: string;
}

function on(
  field: string,
  action: string,
  resource: string,
  call: AuditedMutation['call'],
): AuditedMutation {
  return { field, action, resource, call, selection: '{ id }' };
}

function making(
  field: string,
  action: string,
  makes: string,
  call: AuditedMutation['call'],
): AuditedMutation {
  return { ...on(field, action, 'answer', call), makes };
}

function byId(field: string, action: string, what: string, more = ''): AuditedMutation {
  return on(field, action, what, (ids) =>
    [id(ids[what] ?? ''), `account: "${ids['account'] ?? ''}"`, more].filter(Boolean).join(', '),
  );
}

function scalar(field: string, action: string) {
  return { field, action, call: () => '', selection: '' };
}

function idOf(what: string): AuditedMutation['call'] {
  return (ids) => id(ids[what] ?? '');
}

function id(value: string): string {
  return `id: "${value}"`;
}

function input(value: object, more = ''): string {
  const members = Object.entries(value).map(([name, inner]) => `${name}: ${literal(inner)}`);
  return `input: { ${[...members, more].filter(Boolean).join(', ')} }`;
}

function inputOf(value: object, account: string | undefined): string {
  return `account: "${account ?? ''}", ${input(value)}`;
}

/** A value as GraphQL writes it. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, inner]) => `${name}: ${literal(inner)}`);
  return `{ ${members.join(', ')} }`;
}
