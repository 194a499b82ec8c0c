import { expect } from 'chai';
import { commandActor } from '../../../src/domain/transaction/actor.js';
import { makeId } from '../../../src/domain/values/id.js';
import { createPortalLink, redeemPortalLink } from '../../../src/domain/portal/portal-links.js';
import { openPortalSession } from '../../../src/domain/portal/portal-sessions.js';
import { startRecovery } from '../../../src/domain/recovery/change-recovery.js';
import { startBuyerErasure } from '../../../src/domain/erasure/erasures.js';
import { idKinds, type IdLookup, lookUpId } from '../../../src/domain/service/look-up-id.js';
import { openOperatorSession } from '../../../src/domain/session/operator-sessions.js';
import { printLink } from '../../../src/domain/session/sign-in-links.js';
import { createMember } from '../../../src/domain/account/accounts.js';
import { createEndpoint } from '../../../src/domain/endpoint/change-endpoint.js';
import { readEventTrail } from '../../../src/domain/delivery/event-trail.js';
import { endpointBacklogs } from '../../../src/domain/delivery/health.js';
import { sendTestEvent } from '../../../src/domain/test-event/test-event.js';
import { outcomes } from '../../support/engine.js';
import { publisherOf } from '../../support/publisher.js';
import { refusalOf } from '../../support/refusal.js';
import { attempt, createFixture, endpointInput, event, type Fixture } from './fixture.js';

const signing = { userAgent: 'Chrome', replaced: undefined };

describe('the look-up of operators without an account', () => {
  let fixture: Fixture;

  beforeEach(async () => (fixture = await createFixture()));
  afterEach(() => fixture.drop());

  const find = async (text: string): Promise<IdLookup | undefined> =>
    lookUpId(fixture.database.read, text);
  const trail = (id: string) => readEventTrail(fixture.database.read, id);

  /** The id of a row of the account. */
  async function idOf(table: string, where = 'account_id = $1'): Promise<string> {
    const text = `select t.id from "${table}" t where ${where} and $1 <> '' order by t.id limit 1`;
    const [row] = await fixture.test.query<{ id: string }>(text, [fixture.account]);
    if (!row) throw new Error(`no row in ${table}`);
    return row.id;
  }

  /** The event of the delivery. */
  async function delivered(): Promise<string> {
    return (await find(fixture.delivery))?.eventId ?? '';
  }

  /** Makes what the fixture lacks. */
  async function makeTheRest(): Promise<void> {
    const { account, database, endpoint, test } = fixture;
    const { transact } = database;
    const member = await transact((tx) =>
      createMember(tx, { account, email: 'ann@shop.example', role: 'owner' }),
    );
    await transact((tx) => printLink(tx, member.id), { actor: commandActor });

    await test.query(
      `insert into session (id, account_id, member_id, token_sha256, user_agent, last_used_at, created_at)
       values ($1, $2, $3, '\\x00', 'Chrome', now(), now())`,
      [makeId('ses', new Date()), account, member.id],
    );

    const viewer = await fixture.viewer('internal');
    await transact((tx) => openOperatorSession(tx, viewer, signing));

    const { url } = await transact((tx) =>
      createPortalLink(tx, null, account, { role: 'developer' }),
    );
    const [, token = ''] = /#(\w+)$/.exec(url) ?? [];
    await transact(async (tx) => {
      const link = await redeemPortalLink(tx, account, token);
      if (!link) throw new Error('the link was not redeemed');
      await openPortalSession(tx, link, signing);
    });

    const recovery = { endpointId: endpoint, what: 'both', idempotencyKey: 'k' } as const;
    await transact((tx) => startRecovery(tx, account, recovery));

    const erasure = { account, email: 'none@example.com', includeInvoices: false };
    await transact((tx) => startBuyerErasure(tx, erasure, 'operator'));
  }

  it('finds every kind of id that the service gives out', async () => {
    await makeTheRest();

    const { account } = fixture;
    const ofEndpoint = 'endpoint_id in (select id from endpoint where account_id = $1)';
    const ofCredential = 'credential_id in (select id from credential where account_id = $1)';
    const [product] = await fixture.test.query<{ id: string }>(
      `select line_items -> 0 -> 'product' ->> 'id' as id from checkout where account_id = $1 limit 1`,
      [account],
    );

    const ids: Readonly<Record<string, string>> = {
      account,
      audit_entry: await idOf('audit_entry'),
      checkout: fixture.checkout,
      credential: await idOf('credential'),
      delivery: fixture.delivery,
      endpoint: fixture.endpoint,
      erasure: await idOf('erasure'),
      event: await delivered(),
      invoice: fixture.invoice,
      member: await idOf('member'),
      notice: await idOf('notice'),
      offer: fixture.offer,
      operator_session: await idOf('operator_session', ofCredential),
      order: fixture.order,
      payment: fixture.payment,
      pending_delivery: await idOf('pending_delivery', `event_id = '${await delivered()}'`),
      portal_link: await idOf('portal_link'),
      portal_session: await idOf('portal_session'),
      product: product?.id ?? '',
      recovery: await idOf('recovery'),
      refund: fixture.refund,
      session: await idOf('session'),
      sign_in_link: await idOf('sign_in_link'),
      signing_secret: await idOf('endpoint_secret', ofEndpoint),
    };

    expect([...Object.keys(ids), 'request']).to.have.members([...idKinds]);

    for (const [kind, id] of Object.entries(ids)) {
      const result = await find(id);
      expect(result, kind).to.include({ id, kind, found: true, accountId: account });
      expect(result?.accountName, kind).to.equal('Shop');
    }

    const event = ids['event'];
    for (const kind of ['delivery', 'pending_delivery', 'event'] as const) {
      expect((await find(ids[kind] ?? ''))?.eventId, kind).to.equal(event);
    }

    for (const kind of ['endpoint', 'signing_secret', 'delivery', 'recovery'] as const) {
      expect((await find(ids[kind] ?? ''))?.endpointId, kind).to.equal(fixture.endpoint);
    }

    expect((await find(ids['order'] ?? ''))?.subject).to.equal(`order:${ids['order']}`);

    const { order, payment } = fixture;
    const resources = { invoice: order, payment: order, refund: payment };
    for (const [kind, resource] of Object.entries(resources)) {
      expect((await find(ids[kind] ?? ''))?.resourceId, kind).to.equal(resource);
    }

    const kinds: Readonly<Record<string, RegExp>> = {
      audit_entry: /^[a-z]{3}_/,
      credential: /^mem_/,
      notice: /^(?:off|whs|lnk)_/,
      operator_session: /^crd_/,
      order: /^chk_/,
      portal_session: /^plk_/,
      product: /^(?:chk|off)_/,
      session: /^mem_/,
      sign_in_link: /^mem_/,
    };
    for (const [kind, resource] of Object.entries(kinds)) {
      expect((await find(ids[kind] ?? ''))?.resourceId, kind).to.match(resource);
    }
  });

  it('finds an id in the texts in which people send it', async () => {
    const { checkout, order } = fixture;
    const notice = await idOf('notice');
    for (const [text, id] of [
      [` ${order}\n`, order],
      [`order:${order}`, order],
      [`https://shop.example/checkout/${checkout}?x=1`, checkout],
      [`<${notice}@shop.example>`, notice],
      [`{"id":"${order}","status":`, order],
    ] as const) {
      expect((await find(text))?.id, text).to.equal(id);
    }

    // Logs cut ids that open pages: what is left names it as long as no other is of its millisecond.
    const at = new Date('2026-11-02T03:04:05.678Z');
    const alone = makeId('chk', at);
    const copy = async (id: string) =>
      fixture.test.query(
        `insert into checkout
         select c.* from (select * from checkout where id = $1) t
          cross join lateral jsonb_populate_record(
            null::checkout, to_jsonb(t) || jsonb_build_object('id', $2::text)) c`,
        [checkout, id],
      );

    const line = `"path":"/checkout/${alone.slice(0, 12)}…"`;

    await copy(alone);
    expect(await find(line)).to.include({ id: alone, found: true });
    await copy(makeId('chk', at));
    expect(await find(line)).to.include({ id: alone.slice(0, 12), found: false });

    for (const text of ['', 'Shop', 'evt_', 'xyz_0VcFfl5PbuHbmfoYa01If68x', 'constructor_12345']) {
      expect(await find(text), text).to.equal(undefined);
    }
  });

  it('says how to find a request in the logs, and when a deleted object was made', async () => {
    const at = new Date('2026-11-01T10:20:30.456Z');
    const request = makeId('req', at);
    expect(await find(`"request_id":"${request}"`)).to.deep.include({
      id: request,
      kind: 'request',
      found: false,
      madeAt: at,
      logQuery: `grep -F ${request}`,
    });

    for (const prefix of ['evt', 'whd', 'ord', 'prod', 'ses', 'pdl'] as const) {
      const gone = await find(makeId(prefix, at));
      expect(gone, prefix).to.deep.include({ found: false, madeAt: at, accountId: null });
    }
  });

  it('says what became of an event at each endpoint, and why others did not get it', async () => {
    const { account, database, endpoint, test } = fixture;
    const { transact } = database;
    const id = await delivered();
    const add = async (changes: object, columns?: string) => {
      const { endpoint: created } = await transact((tx) =>
        createEndpoint(tx, account, { ...endpointInput, ...changes }),
      );
      if (columns) await test.query(`update endpoint set ${columns} where id = $1`, [created.id]);
      return created.id;
    };

    const before = `created_at = created_at - interval '1 day'`;
    const expected: Record<string, string> = {
      [endpoint]: 'waiting',
      [await add({})]: 'created_later',
      [await add({ eventTypes: ['offer.sent'] }, before)]: 'not_subscribed',
      [await add({}, `${before}, active = false`)]: 'inactive',
      [await add({}, before)]: 'not_addressed',
      [await add(
        {},
        `${before}, subscribed_since = jsonb_build_object('${event.type}', now() + interval '1 second')`,
      )]: 'subscribed_later',
    };

    const states = async (of: string) =>
      Object.fromEntries(
        (await trail(of)).endpoints.map((entry) => [entry.endpointId, entry.state]),
      );
    expect(await states(id)).to.deep.equal(expected);

    const [first] = (await trail(id)).endpoints;
    expect(first).to.deep.include({ endpointId: endpoint, attempts: 1, nextAttempt: 2 });
    expect(first?.latest).to.include({ id: fixture.delivery, status: 'failed' });

    for (const [columns, state] of [
      [`dead_letter_reason = 'x'`, 'dead_letter'],
      [`dead_letter_reason = null, ready = true, due_at = now()`, 'due'],
      ['lease_token = 7', 'sending'],
      ['lease_token = null', 'due'],
    ] as const) {
      await test.query(`update pending_delivery set ${columns}`);
      expect((await states(id))[endpoint], columns).to.equal(state);
    }

    await attempt(database, outcomes.ok);
    expect((await states(id))[endpoint]).to.equal('delivered');
    await test.query(`update delivery set status = 'abandoned'`);
    expect((await states(id))[endpoint]).to.equal('given_up');
    expect((await refusalOf(trail(makeId('evt', new Date())))).code).to.equal('not_found');

    const { schemas } = publisherOf(database);
    const testOf = async (endpointId?: string) => {
      const input = { endpointId, type: event.type };
      return (await transact((tx) => sendTestEvent(tx, schemas, account, input))).id;
    };

    expect((await states(await testOf()))[endpoint]).to.equal('stream_only');

    const [, other = ''] = Object.keys(expected);
    const sent = await states(await testOf(other));
    expect([sent[endpoint], sent[other]]).to.deep.equal(['other_endpoint', 'due']);
  });

  it('shows a deleted endpoint that an event was sent to, and pending endpoints first', async () => {
    const { account, database, endpoint, test } = fixture;
    await test.query('update endpoint set deleted_at = now() where id = $1', [endpoint]);
    await database.transact(async (tx) => {
      for (let count = 0; count < 100; count += 1) await createEndpoint(tx, account, endpointInput);
    });
    const { endpoints, complete } = await trail(await delivered());
    expect(endpoints).to.have.lengthOf(100);
    expect(complete).to.equal(false);
    expect(endpoints[0]).to.deep.include({ endpointId: endpoint, deleted: true });
  });

  it('counts the pending deliveries of each endpoint of a list, and how long they wait', async () => {
    const { database, endpoint, test } = fixture;
    const backlogOf = async () => (await endpointBacklogs(database.read, [endpoint])).get(endpoint);
    const [pending] = await test.query<{ at: Date }>(
      'select min(created_at) as at from pending_delivery',
    );
    expect(await backlogOf()).to.deep.equal({
      pendingCount: 2,
      pendingCountIsComplete: true,
      oldestPendingAt: pending?.at,
    });

    await test.query(
      `insert into pending_delivery
       select copy.* from (select * from pending_delivery limit 1) p cross join generate_series(1, 1000) i
        cross join lateral jsonb_populate_record(
           null::pending_delivery, to_jsonb(p) || jsonb_build_object('id', 'pdl_' || i)) copy`,
    );

    expect(await backlogOf()).to.deep.include({
      pendingCount: 1_000,
      pendingCountIsComplete: false,
    });

    await test.query('delete from pending_delivery');
    expect(await backlogOf()).to.deep.include({ pendingCount: 0, oldestPendingAt: null });
  });
});
