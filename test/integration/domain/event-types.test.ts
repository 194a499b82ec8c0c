import { expect } from 'chai';
import type { Database } from '../../../src/database/database.js';
import { createAccount } from '../../../src/domain/account/accounts.js';
import { createEndpoint } from '../../../src/domain/endpoint/change-endpoint.js';
import {
  lockCatalogueEntries,
  listEventTypes,
  retireEventType,
  unlistEventType,
} from '../../../src/domain/event-type/event-types.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { describedTypes } from '../../support/contract.js';
import { eventually } from '../../support/eventually.js';
import { issuesOf, refusalOf } from '../../support/refusal.js';

describe('the catalogue of event types', () => {
  let test: TestDatabase;
  let database: Database;

  before(async () => {
    test = await createTestDatabase();
    database = await test.open();
  });

  after(() => test.drop());

  it('H32, H38: lists all types by category, then by id', async () => {
    const types = await listEventTypes(database.read);
    const catalogue = await test.query('select id from event_type');
    expect(types).to.have.length(catalogue.length);
    expect(types).to.have.length.above(20);

    const keys = types.map(({ category, id }) => `${category}/${id}`);
    expect(keys).to.deep.equal([...keys].sort());

    expect(new Set(types.map(({ category }) => category))).to.deep.equal(
      new Set(
        'chargebacks checkouts disputes invoices offers orders payments payouts subscriptions webhooks'.split(
          ' ',
        ),
      ),
    );

    for (const { id } of types) expect(id).to.match(/^[a-z0-9_]+(\.[a-z0-9_]+)+$/);
  });

  it('A20: marks as sent only what the service emits, and has one retired type from the start', async () => {
    const types = await listEventTypes(database.read);
    const idsOf = (chosen: typeof types) => chosen.map(({ id }) => id).sort();
    expect(idsOf(types.filter(({ sent }) => sent))).to.deep.equal([...describedTypes].sort());
    expect(
      idsOf(types.filter(({ acceptsNewSubscriptions }) => !acceptsNewSubscriptions)),
    ).to.deep.equal(['order.completed']);
  });

  it('retires and unlists types for good, and repeating it has no effect', async () => {
    for (let time = 0; time < 2; time += 1) {
      const retired = await database.transact((tx) => retireEventType(tx, 'offer.sent'));
      expect(retired).to.include({ acceptsNewSubscriptions: false, listed: true });
      const unlisted = await database.transact((tx) => unlistEventType(tx, 'offer.created'));
      expect(unlisted).to.include({ acceptsNewSubscriptions: true, listed: false });
    }
    const types = await listEventTypes(database.read);
    expect(types.find(({ id }) => id === 'offer.sent')).to.include({
      acceptsNewSubscriptions: false,
    });
    expect(types.find(({ id }) => id === 'offer.created')).to.equal(undefined);
  });

  it('does not find an unknown type', async () => {
    for (const id of ['foo.bar', '', 'a\0b', 'a\ud800']) {
      const refused = await refusalOf(database.transact((tx) => retireEventType(tx, id)));
      expect(refused.code, id).to.equal('not_found');
    }
  });

  it('a type that is retired at the same moment cannot slip into a subscription', async () => {
    const { id: account } = await database.transact((tx) => createAccount(tx, { name: 'Shop' }));
    const subscribe = () =>
      database.transact((tx) =>
        createEndpoint(tx, account, {
          url: 'https://shop.example/hook',
          eventTypes: ['invoice.issued'],
          notificationEmail: 'ops@shop.example',
        }),
      );

    const order: string[] = [];
    await database.transact(async (holder) => {
      await lockCatalogueEntries(holder, ['invoice.issued']);
      // A session checks that the type is offered: the retirement waits for it, and a later check waits too.
      void database
        .transact((tx) => retireEventType(tx, 'invoice.issued'))
        .then(() => order.push('retired'));
      await eventually(async () => {
        const waiting = await test.query(
          `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%accepts_new_subscriptions = false%'`,
        );
        expect(waiting).to.have.length(1);
      }, 'the retirement waits');
      order.push('checked');
    });

    await eventually(() => expect(order).to.deep.equal(['checked', 'retired']), 'it is retired');
    expect(await issuesOf(subscribe())).to.deep.equal(['event_type_not_offered event_types']);
  });
});
