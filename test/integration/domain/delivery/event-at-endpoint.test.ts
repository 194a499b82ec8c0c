import { expect } from 'chai';
import type { Database } from '../../../../src/database/database.js';
import {
  readEventAtEndpoint,
  readEventTrail,
} from '../../../../src/domain/delivery/event-trail.js';
import { recordResults } from '../../../../src/domain/delivery/recording.js';
import { SubjectOrder } from '../../../../src/domain/delivery/subject-order.js';
import { deleteEndpoint, updateEndpoint } from '../../../../src/domain/endpoint/change-endpoint.js';
import { setEndpointOptions } from '../../../../src/domain/endpoint/endpoint-options.js';
import type { EndpointPatch } from '../../../../src/domain/endpoint/endpoint-input.js';
import { publishEvent } from '../../../../src/domain/event/publish.js';
import type { Actor } from '../../../../src/domain/transaction/actor.js';
import { makeId } from '../../../../src/domain/values/id.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database.js';
import {
  claimAll,
  emptyEngine,
  end,
  eventType,
  insertAccount,
  insertEndpoint,
  outcomes,
} from '../../../support/engine.js';
import { refusalOf } from '../../../support/refusal.js';

const otherType = 'invoice.issued';

describe('what became of an event at one endpoint', () => {
  let test: TestDatabase;
  let database: Database;
  let account: string;
  let actor: Actor;

  before(async () => {
    test = await createTestDatabase();
    database = await test.open();
  });

  after(() => test.drop());

  beforeEach(async () => {
    await emptyEngine(test);
    account = await insertAccount(test);
    await test.query(
      `insert into event_type (id, category, summary, description, accepts_new_subscriptions, sent)
       values ($1, 'orders', 's', 'd', true, true) on conflict do nothing`,
      [otherType],
    );
    actor = {
      kind: 'api_key',
      account,
      credential: 'key_1',
      member: null,
      address: null,
      userAgent: null,
    };
  });

  const past = `created_at = now() - interval '1 day'`;
  const endpointWith = (columns = past) => insertEndpoint(test, account, columns);

  const publish = async (data: Record<string, unknown> = { total: 5 }, changes: object = {}) => {
    const { id } = await database.transact((tx) =>
      publishEvent(tx, account, { type: eventType, subject: 'order:1', data, ...changes }),
    );
    return id;
  };

  const change = (endpoint: string, patch: EndpointPatch) =>
    database.transact(
      (tx) => updateEndpoint(tx, account, endpoint, patch, { mayChangeEmail: false }),
      { actor },
    );

  const filter = (endpoint: string, text: string | null) =>
    database.transact((tx) => setEndpointOptions(tx, account, endpoint, { filter: text }), {
      actor,
    });

  const at = (event: string, endpoint: string) =>
    readEventAtEndpoint(database.read, account, event, endpoint);

  it('H298: says that it was sent, waits, or is given up, and how many are due before it', async () => {
    const endpoint = await endpointWith();
    await publish();
    const event = await publish();
    expect(await at(event, endpoint)).to.include({ state: 'due', ahead: 1, at: null });

    const claims = await claimAll(database.read);
    expect(await at(event, endpoint)).to.include({ state: 'sending' });
    const ended = claims.map((claim) => end(claim, outcomes.ok));
    await database.transact((tx) => recordResults(tx, ended));
    expect(await at(event, endpoint)).to.include({ state: 'delivered', ahead: null, attempts: 1 });
  });

  it('H298: says that it waits for its turn, and how many of its subject come before it', async () => {
    const endpoint = await endpointWith(`${past}, ordering = 'subject'`);
    const first = await publish();
    const second = await publish();
    const third = await publish();
    await publish({}, { subject: 'order:2' });
    await new SubjectOrder({
      database: () => database,
      onError: (error) => expect.fail(String(error)),
    }).poll();

    expect(await at(first, endpoint)).to.include({ state: 'due', ahead: 0 });
    const waits = { state: 'waiting_for_turn', at: null, dueAt: null };
    expect(await at(second, endpoint)).to.include({ ...waits, ahead: 1 });
    expect(await at(third, endpoint)).to.include({ ...waits, ahead: 2 });
  });

  it('H298: says that the filter did not match, and what the filter is', async () => {
    const endpoint = await endpointWith();
    await filter(endpoint, '$.data.total > 10');
    const event = await publish();
    expect(await at(event, endpoint)).to.include({
      state: 'filtered',
      at: null,
      filter: '$.data.total > 10',
      filterChangedAt: null,
      matches: false,
    });
    expect((await readEventTrail(database.read, event)).endpoints[0]?.state).to.equal('filtered');
  });

  it('H298: says that the filter has changed since, so that nobody knows what the former one was', async () => {
    const endpoint = await endpointWith();
    await filter(endpoint, '$.data.total > 10');
    const event = await publish();
    await filter(endpoint, '$.data.total > 1');
    const answer = await at(event, endpoint);
    expect(answer).to.include({ state: 'filter_changed', matches: true });
    expect(answer.at).to.deep.equal(answer.filterChangedAt);
    expect((await readEventTrail(database.read, event)).endpoints[0]?.state).to.equal(
      'filter_changed',
    );

    await filter(endpoint, null);
    expect(await at(event, endpoint)).to.include({ state: 'filter_changed', matches: null });
  });

  it('H298: says that it did, and that the filter would not match today', async () => {
    const endpoint = await endpointWith();
    const event = await publish();
    await filter(endpoint, '$.data.total > 10');
    const answer = await at(event, endpoint);
    expect(answer).to.include({ state: 'due', matches: false });
    expect(answer.filterChangedAt).to.be.an.instanceof(Date);
  });

  it('H298: says that the endpoint was disabled then, and when it was enabled', async () => {
    const endpoint = await endpointWith();
    await change(endpoint, { active: false });
    const event = await publish();
    expect(await at(event, endpoint)).to.include({ state: 'inactive', at: null });
    await change(endpoint, { active: true });
    const answer = await at(event, endpoint);
    expect(answer.state).to.equal('inactive');
    expect(answer.at).to.be.an.instanceof(Date);
  });

  it('H298: says that the delivery was cancelled when the endpoint was disabled, by a member or the service', async () => {
    const endpoint = await endpointWith();
    const event = await publish();
    await change(endpoint, { active: false });
    expect((await at(event, endpoint)).state).to.equal('cancelled');
    await change(endpoint, { active: true });
    expect((await at(event, endpoint)).state).to.equal('cancelled');

    const later = await publish();
    await test.query(
      `insert into notice (id, account_id, kind, resource_id, data, recipient, message_id, created_at, due_at)
       values ($1, $2, 'endpoint_disabled', $3, '{}', 'o@x.example', $1, now(), now())`,
      [makeId('ntc', new Date()), account, endpoint],
    );
    await test.query('delete from pending_delivery');
    await test.query('update endpoint set active = false');
    expect((await at(later, endpoint)).state).to.equal('cancelled');
  });

  it('H298: says that the endpoint did not subscribe then, or only later, or unsubscribed before the first attempt', async () => {
    const endpoint = await endpointWith();
    const event = await publish();
    await change(endpoint, { eventTypes: [otherType] });
    expect((await at(event, endpoint)).state).to.equal('cancelled');

    const second = await publish();
    expect(await at(second, endpoint)).to.include({ state: 'not_subscribed', at: null });
    await change(endpoint, { eventTypes: [eventType] });
    expect((await at(event, endpoint)).state, 'subscribed again').to.equal('cancelled');
    const answer = await at(second, endpoint);
    expect(answer.state).to.equal('subscribed_later');
    expect(answer.at).to.be.an.instanceof(Date);
  });

  it('H298: says that the endpoint was created later, or deleted', async () => {
    const event = await publish();
    const endpoint = await endpointWith('active = true');
    expect((await at(event, endpoint)).state).to.equal('created_later');

    const second = await publish();
    await database.transact((tx) => deleteEndpoint(tx, account, endpoint), { actor });
    expect((await at(second, endpoint)).state).to.equal('deleted');
    const third = await publish();
    const answer = await at(third, endpoint);
    expect(answer.state).to.equal('deleted');
    expect(answer.at).to.be.an.instanceof(Date);
  });

  it('H298: says that nothing tells why when a delivery is gone without a trace', async () => {
    const endpoint = await endpointWith();
    const event = await publish();
    await test.query('delete from pending_delivery');
    expect(await at(event, endpoint)).to.include({ state: 'not_addressed', at: null });
  });

  it('H298: knows only events and endpoints of the account', async () => {
    const endpoint = await endpointWith();
    const event = await publish();
    const other = await insertAccount(test);
    const foreign = await insertEndpoint(test, other, past);
    expect((await refusalOf(at(event, foreign))).code).to.equal('not_found');
    const asOther = readEventAtEndpoint(database.read, other, event, foreign);
    expect((await refusalOf(asOther)).code).to.equal('not_found');
    const unknown = makeId('evt', new Date());
    expect((await refusalOf(at(unknown, endpoint))).code).to.equal('not_found');
  });
});
