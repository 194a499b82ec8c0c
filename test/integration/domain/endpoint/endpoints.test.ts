import { expect } from 'chai';
import type { Database } from '../../../../src/database/database.js';
import { createAccount } from '../../../../src/domain/account/accounts.js';
import type {
  EndpointInput,
  EndpointPatch,
} from '../../../../src/domain/endpoint/endpoint-input.js';
import {
  deleteEndpoint,
  type LockedEndpoint,
  replaceEventSubscriptions,
  updateEndpoint,
  createEndpoint,
} from '../../../../src/domain/endpoint/change-endpoint.js';
import { getEndpoint, listEndpoints } from '../../../../src/domain/endpoint/endpoints.js';
import { rotateSigningSecret } from '../../../../src/domain/endpoint/rotate-secrets.js';
import { resealSecrets } from '../../../../src/domain/endpoint/secrets.js';
import { Sealer } from '../../../../src/domain/values/sealer.js';
import { publishEvent } from '../../../../src/domain/event/publish.js';
import { createTestDatabase, type TestDatabase, testRules } from '../../../support/database.js';
import { issuesOf, refusalOf } from '../../../support/refusal.js';

const input: EndpointInput = {
  url: 'https://shop.example/hook',
  eventTypes: ['cart.order.completed', 'invoice.issued'],
  notificationEmail: 'ops@shop.example',
};

describe('webhook endpoints', () => {
  let test: TestDatabase;
  let database: Database;
  let account: string;
  let other: string;

  before(async () => {
    test = await createTestDatabase();
    database = await test.open();
  });

  after(() => test.drop());

  beforeEach(async () => {
    account = (await database.transact((tx) => createAccount(tx, { name: 'Shop' }))).id;
    other = (await database.transact((tx) => createAccount(tx, { name: 'Other' }))).id;
  });

  const create = (changes: Partial<EndpointInput> = {}) =>
    database.transact((tx) => createEndpoint(tx, account, { ...input, ...changes }));
  const patch = (id: string, changes: EndpointPatch, mayChangeEmail = true) =>
    database.transact((tx) => updateEndpoint(tx, account, id, changes, { mayChangeEmail }));
  const rotate = (id: string) => database.transact((tx) => rotateSigningSecret(tx, account, id));
  const remove = (id: string, owner = account) =>
    database.transact((tx) => deleteEndpoint(tx, owner, id));
  const put = (id: string, types: string[]) =>
    database.transact((tx) => replaceEventSubscriptions(tx, account, id, types));
  const publish = (type: string) =>
    database.transact((tx) =>
      publishEvent(tx, account, { type, subject: 'order:ord_1', data: { n: 1 } }),
    );

  const pendingDeliveries = async (id: string) => {
    const rows = await test.query<{ type: string }>(
      `select event_type as type from pending_delivery where endpoint_id = $1 order by 1`,
      [id],
    );
    return rows.map(({ type }) => type);
  };

  const ageSecrets = (id: string, interval: string) =>
    test.query(
      `update endpoint_secret set expires_at = expires_at - $2::interval where endpoint_id = $1`,
      [id, interval],
    );

  const liveSecrets = async (id: string, key = 7) => {
    const rows = await test.query<{ keyId: string; sealed: Buffer }>(
      `select key_id as "keyId", sealed from endpoint_secret
       where endpoint_id = $1 and (expires_at is null or expires_at > now()) order by id desc`,
      [id],
    );
    const keyId = key === 7 ? 'k1' : 'k2';
    const sealer = new Sealer([{ id: keyId, key: Buffer.alloc(32, key) }]);
    return rows.map((secret) => sealer.open(secret, id));
  };

  describe('creation', () => {
    it('H1, H2, H3: a new endpoint gets defaults for absent fields, and shows its secret', async () => {
      const { endpoint, signingSecret } = await create();
      expect(endpoint).to.deep.include({
        ...input,
        active: true,
        description: null,
        disabledReason: null,
      });
      expect(endpoint.id).to.match(/^whs_[A-Za-z0-9]{24}$/);
      expect(endpoint.createdAt).to.deep.equal(endpoint.updatedAt);
      expect(signingSecret).to.match(/^whsec_[A-Za-z0-9]{44}$/);
      expect(await liveSecrets(endpoint.id)).to.deep.equal([signingSecret]);
      expect(await getEndpoint(database.read, account, endpoint.id)).to.deep.equal(endpoint);
    });

    it('H3, H4, H6: a new endpoint stores each field as it was sent', async () => {
      const url = 'https://Shop.EXAMPLE:8443/hook?a=%7b&b';
      const eventTypes = ['invoice.issued', 'offer.sent', 'invoice.issued'];
      const { endpoint } = await create({ url, eventTypes, description: '', active: false });
      expect(endpoint).to.deep.include({
        url,
        eventTypes: ['invoice.issued', 'offer.sent'],
        description: '',
        active: false,
      });
    });

    it('H7: two endpoints of an account may have the same URL', async () => {
      const ids = [(await create()).endpoint.id, (await create()).endpoint.id];
      expect(ids[0]).to.not.equal(ids[1]);
    });

    it('H7: refuses an endpoint beyond the limit, even when many are created at once', async () => {
      const limited = await test.open({ rules: testRules({ endpointsPerAccount: 3 }), pool: 8 });
      const attempt = () => limited.transact((tx) => createEndpoint(tx, account, input));
      const ends = await Promise.allSettled(Array.from({ length: 12 }, attempt));
      expect(ends.filter(({ status }) => status === 'fulfilled')).to.have.length(3);
      const { code, errors } = await refusalOf(attempt());
      const detail = 'The account has reached its limit of 3 endpoints. Delete one first.';
      expect({ code, errors }).to.deep.equal({
        code: 'endpoint_limit_reached',
        errors: [{ code: 'endpoint_limit_reached', detail }],
      });
      await limited.transact((tx) => createEndpoint(tx, other, input));
    });

    it('H7: an account above the limit keeps its endpoints, and creates none until it is below', async () => {
      const ids = [];
      for (let count = 0; count < 3; count += 1) ids.push((await create()).endpoint.id);
      const limited = await test.open({ rules: testRules({ endpointsPerAccount: 2 }) });
      const attempt = () => limited.transact((tx) => createEndpoint(tx, account, input));
      const page = await listEndpoints(limited.read, account, { limit: 10 });
      expect(page.data).to.have.length(3);
      await patch(ids[0]!, { description: 'kept' });
      await remove(ids[0]!);
      expect((await refusalOf(attempt())).code).to.equal('endpoint_limit_reached');
      await remove(ids[1]!);
      await attempt();
    });

    it('reports all issues of an endpoint at once, with fields named as in the public interface', async () => {
      const work = create({
        url: 'http://shop.example',
        eventTypes: ['order.completed', 'foo.bar', 'a\0'],
        notificationEmail: 'nobody',
        description: 'x'.repeat(501),
      });

      expect(await issuesOf(work)).to.deep.equal([
        'invalid_format url',
        'invalid_format notification_email',
        'too_long description',
        'invalid_value event_types',
      ]);

      expect(await issuesOf(create({ description: 'a\ud800' }))).to.deep.equal([
        'invalid_value description',
      ]);
    });

    it('H28: refuses event types in the words of the public interface', async () => {
      const { errors } = await refusalOf(
        create({ eventTypes: ['foo.bar', 'order.completed', 'invoice.issued'] }),
      );
      expect(errors.map(({ detail }) => detail)).to.deep.equal([
        'No longer offered for new subscriptions: order.completed',
        'Unknown event type: foo.bar',
      ]);
    });
  });

  describe('reading', () => {
    it('H32, H33: lists endpoints newest first, and continues where the page ended', async () => {
      const ids: string[] = [];
      for (let count = 0; count < 5; count += 1) ids.unshift((await create()).endpoint.id);

      // Made within a millisecond, ids need not follow their order of making.
      ids.sort().reverse();

      const first = await listEndpoints(database.read, account, { limit: 2 });
      expect(first.data.map(({ id }) => id)).to.deep.equal(ids.slice(0, 2));
      expect(first.page.hasMore).to.equal(true);
      await create();
      await remove(ids[1]!);

      const second = await listEndpoints(database.read, account, {
        limit: 3,
        cursor: first.page.nextCursor,
      });

      expect(second.data.map(({ id }) => id)).to.deep.equal(ids.slice(2));
      expect(second.page).to.deep.equal({ hasMore: false, nextCursor: null });
    });

    it('H30, A27, H36: filters endpoints by active, and binds the cursor to the filter', async () => {
      const on = [(await create()).endpoint.id, (await create()).endpoint.id].sort().reverse();
      const off = (await create({ active: false })).endpoint.id;
      const active = await listEndpoints(database.read, account, { limit: 1, status: 'active' });
      expect(active.data.map(({ id }) => id)).to.deep.equal([on[0]]);

      const inactive = await listEndpoints(database.read, account, {
        limit: 9,
        status: 'inactive',
      });

      expect(inactive.data.map(({ id }) => id)).to.deep.equal([off]);

      const cursor = active.page.nextCursor;

      for (const status of ['inactive', undefined] as const) {
        const work = listEndpoints(database.read, account, { limit: 1, cursor, status });
        expect(await issuesOf(work)).to.deep.equal(['invalid_cursor cursor']);
      }

      expect(
        await issuesOf(listEndpoints(database.read, other, { limit: 1, cursor, status: 'active' })),
      ).to.deep.equal(['invalid_cursor cursor']);
    });

    it('H31: refuses a page of endpoints with a limit outside 1 to 100', async () => {
      for (const limit of [0, 101, 1.5, Number.NaN]) {
        expect(
          await issuesOf(listEndpoints(database.read, account, { limit })),
          String(limit),
        ).to.deep.equal(['out_of_range limit']);
      }
    });

    it('lists endpoints through their index', async () => {
      const plan = await test.query<{ 'QUERY PLAN': string }>(
        `explain select id from endpoint where account_id = 'acc_1' and deleted_at is null
           and id < 'whs~' and active = any('{true,false}') order by id desc limit 21`,
      );
      expect(plan.map((row) => row['QUERY PLAN']).join('\n')).to.contain('endpoint_of_account');
    });

    it('H39, H91: finds no endpoint of another account, as if it never existed', async () => {
      const { endpoint } = await create();
      const attempts = (id: string) => [
        () => getEndpoint(database.read, other, id),
        () =>
          database.transact((tx) => updateEndpoint(tx, other, id, {}, { mayChangeEmail: true })),
        () => database.transact((tx) => replaceEventSubscriptions(tx, other, id, ['nope'])),
        () => database.transact((tx) => rotateSigningSecret(tx, other, id)),
        () => remove(id, other),
      ];

      for (const id of [endpoint.id, 'whs_000000000000000000000000', 'whs_\0', 'chk_1', '']) {
        for (const work of attempts(id)) {
          expect(await refusalOf(work())).to.deep.equal({
            code: 'not_found',
            errors: [{ code: 'not_found', detail: 'No webhook endpoint with this id.' }],
          });
        }
      }

      expect((await listEndpoints(database.read, other, { limit: 9 })).data).to.deep.equal([]);
    });
  });

  describe('change', () => {
    it('H17, H19: an update changes the fields that it names and no others', async () => {
      const { endpoint } = await create({ description: 'old' });
      const changed = await patch(endpoint.id, {
        url: 'https://b.example/',
        description: null,
        eventTypes: ['offer.sent', 'invoice.issued'],
        notificationEmail: 'new@shop.example',
      });

      const expected = Object.assign(
        { failingSince: null, failureCount: 0, warnings: 0 },
        endpoint,
        {
          url: 'https://b.example/',
          description: null,
          eventTypes: ['offer.sent', 'invoice.issued'],
          notificationEmail: 'new@shop.example',
          updatedAt: changed.updatedAt,
        },
      );

      expect(changed).to.deep.equal(expected);
      expect(changed).to.deep.include(await getEndpoint(database.read, account, endpoint.id));
    });

    it('H10: updated_at grows with each change and whenever active is sent, and otherwise stays', async () => {
      const { endpoint } = await create();
      const { id } = endpoint;
      let last = endpoint.updatedAt.getTime();
      const grows = async (changes: EndpointPatch) => {
        const { updatedAt } = await patch(id, changes);
        const grew = updatedAt.getTime() > last;
        last = updatedAt.getTime();
        return grew;
      };

      expect(await grows({})).to.equal(false);
      expect(await grows({ url: input.url, description: null })).to.equal(false);
      expect(await grows({ eventTypes: [...input.eventTypes] })).to.equal(false);
      expect(await grows({ active: true })).to.equal(true);
      expect(await grows({ description: 'x' })).to.equal(true);
      expect(await grows({ eventTypes: [...input.eventTypes].reverse() })).to.equal(true);

      // The clock stands still or steps back: time of the endpoint goes on.
      await test.query(`update endpoint set updated_at = now() + interval '1 hour' where id = $1`, [
        id,
      ]);
      last = (await getEndpoint(database.read, account, id)).updatedAt.getTime();
      expect(await grows({ active: true })).to.equal(true);
      expect((await rotate(id)).endpoint.updatedAt.getTime()).to.be.greaterThan(last);
    });

    it('an update with invalid fields or null is refused and changes nothing', async () => {
      const { endpoint } = await create();
      const work = patch(endpoint.id, { url: null, active: null, notificationEmail: 'x' });
      expect(await issuesOf(work)).to.deep.equal([
        'invalid_type url',
        'invalid_type active',
        'invalid_format notification_email',
      ]);
      expect(await issuesOf(put(endpoint.id, []))).to.deep.equal(['too_few_items event_types']);
      expect(await getEndpoint(database.read, account, endpoint.id)).to.deep.equal(endpoint);
    });

    it('A34: the dashboard cannot change notification_email, but may send it unchanged', async () => {
      const { endpoint } = await create();
      const same = { notificationEmail: input.notificationEmail, description: 'x' };
      expect((await patch(endpoint.id, same, false)).description).to.equal('x');

      const refused = await refusalOf(
        patch(endpoint.id, { notificationEmail: 'b@c.example' }, false),
      );
      expect(refused.code).to.equal('forbidden');

      expect(refused.errors[0]).to.include({
        code: 'permission_missing',
        param: 'notification_email',
      });

      expect(
        (await patch(endpoint.id, { notificationEmail: 'b@c.example' })).notificationEmail,
      ).to.equal('b@c.example');
    });

    it('H29: an endpoint keeps a retired or unlisted type until it removes it, and cannot add it again', async () => {
      const types = ['offer.created', 'offer.cancelled', 'offer.sent'];
      const { endpoint } = await create({ eventTypes: types });

      await test.query(
        `update event_type set accepts_new_subscriptions = id <> 'offer.created', listed = id <> 'offer.cancelled'
         where id in ('offer.created', 'offer.cancelled')`,
      );

      expect((await put(endpoint.id, [...types, 'invoice.issued'])).eventTypes).to.deep.equal([
        ...types,
        'invoice.issued',
      ]);

      expect((await put(endpoint.id, ['offer.sent'])).eventTypes).to.deep.equal(['offer.sent']);

      const { errors } = await refusalOf(put(endpoint.id, types));
      expect(errors.map(({ detail }) => detail)).to.deep.equal([
        'No longer offered for new subscriptions: offer.created',
        'Unknown event type: offer.cancelled',
      ]);
    });

    it('an update dates the types that it adds, and those that it adds again', async () => {
      const { endpoint } = await create({ eventTypes: ['invoice.issued'] });
      const since = async () => {
        const [row] = await test.query<{ types: Record<string, string> | null }>(
          'select subscribed_since as types from endpoint where id = $1',
          [endpoint.id],
        );
        return row!.types ?? {};
      };

      const subscribe = (...eventTypes: string[]) => patch(endpoint.id, { eventTypes });

      expect(await since()).to.deep.equal({});
      await subscribe('offer.sent', 'invoice.issued');

      const first = await since();
      expect(Object.keys(first)).to.deep.equal(['offer.sent']);
      await patch(endpoint.id, { description: 'changed' });
      expect(await since()).to.deep.equal(first);
      await subscribe('offer.sent');
      expect(await since()).to.deep.equal(first);
      await subscribe('invoice.issued', 'offer.sent');

      const second = await since();
      expect(second).to.include(first);
      expect(second['invoice.issued']! > first['offer.sent']!).to.equal(true);
    });

    it('H74: deactivating keeps the reason and cancels pending deliveries', async () => {
      const { endpoint } = await create();
      await publish('invoice.issued');
      expect(await pendingDeliveries(endpoint.id)).to.deep.equal(['invoice.issued']);
      const off = await patch(endpoint.id, { active: false });
      expect(off).to.deep.include({ active: false, disabledReason: null });
      expect(await pendingDeliveries(endpoint.id)).to.deep.equal([]);
      await publish('invoice.issued');
      expect(await pendingDeliveries(endpoint.id)).to.deep.equal([]);
      const notices = await test.query(`select 1 from notice where resource_id = $1`, [
        endpoint.id,
      ]);
      expect(notices).to.deep.equal([]);
    });

    it('H61: unsubscribing cancels what is scheduled of that type only', async () => {
      const { endpoint } = await create();
      await publish('invoice.issued');
      await publish('cart.order.completed');
      await put(endpoint.id, ['cart.order.completed', 'offer.sent']);
      expect(await pendingDeliveries(endpoint.id)).to.deep.equal(['cart.order.completed']);
    });

    const fail = (id: string, active: boolean) =>
      test.query(
        `update endpoint set active = $2, failing_since = now(), failure_count = 7,
           disabled_reason = case when $2 then null else 'consecutive_failures' end where id = $1`,
        [id, active],
      );

    const run = ({ disabledReason, failingSince, failureCount }: LockedEndpoint) => ({
      disabledReason,
      failing: failingSince !== null,
      failureCount,
    });

    const healthy = { disabledReason: null, failing: false, failureCount: 0 };

    it('H75: enabling again clears reason and failures, enabling an enabled endpoint does not', async () => {
      const { endpoint } = await create();
      await fail(endpoint.id, false);
      expect(run(await patch(endpoint.id, { active: false }))).to.deep.equal({
        disabledReason: 'consecutive_failures',
        failing: true,
        failureCount: 7,
      });
      expect(run(await patch(endpoint.id, { active: true }))).to.deep.equal(healthy);
      await fail(endpoint.id, true);
      expect(run(await patch(endpoint.id, { active: true }))).to.include({ failureCount: 7 });
    });

    it('H69: another url ends the run of failures, the same url does not', async () => {
      const { endpoint } = await create();
      await fail(endpoint.id, true);
      expect(run(await patch(endpoint.id, { url: input.url, description: 'x' }))).to.include({
        failureCount: 7,
      });
      expect(run(await patch(endpoint.id, { url: 'https://b.example/' }))).to.deep.equal(healthy);
    });
  });

  describe('deletion', () => {
    it('H22: deleting an endpoint hides it, destroys its secrets and cancels what is scheduled', async () => {
      const { endpoint } = await create();
      await publish('invoice.issued');
      await remove(endpoint.id);
      expect((await refusalOf(getEndpoint(database.read, account, endpoint.id))).code).to.equal(
        'not_found',
      );
      expect((await listEndpoints(database.read, account, { limit: 9 })).data).to.deep.equal([]);
      expect(await liveSecrets(endpoint.id)).to.deep.equal([]);
      expect(await pendingDeliveries(endpoint.id)).to.deep.equal([]);
      await publish('invoice.issued');
      expect(await pendingDeliveries(endpoint.id)).to.deep.equal([]);
    });

    it('H21: a second deletion finds no endpoint', async () => {
      const { endpoint } = await create();
      await remove(endpoint.id);
      expect((await refusalOf(remove(endpoint.id))).code).to.equal('not_found');
    });
  });

  describe('secrets', () => {
    it('H23, H24, H25: every secret of the last 24 hours still signs, newest first', async () => {
      const { endpoint, signingSecret } = await create({ active: false });
      const second = await rotate(endpoint.id);
      const third = await rotate(endpoint.id);
      expect(await liveSecrets(endpoint.id)).to.deep.equal([
        third.signingSecret,
        second.signingSecret,
        signingSecret,
      ]);
      await ageSecrets(endpoint.id, '23 hours 59 minutes 50 seconds');
      expect(await liveSecrets(endpoint.id)).to.have.length(3);
      await ageSecrets(endpoint.id, '11 seconds');
      expect(await liveSecrets(endpoint.id)).to.deep.equal([third.signingSecret]);
    });

    it('H24: an endpoint keeps at most ten old secrets, and drops the oldest', async () => {
      const { endpoint, signingSecret } = await create();
      const made = [signingSecret];
      for (let count = 0; count < 12; count += 1) {
        made.unshift((await rotate(endpoint.id)).signingSecret);
      }
      expect(await liveSecrets(endpoint.id)).to.deep.equal(made.slice(0, 11));
    });

    it('H24: concurrent rotations run one after the other', async () => {
      const { endpoint } = await create();
      const rotated = await Promise.all([rotate(endpoint.id), rotate(endpoint.id)]);
      rotated.sort((one, two) => +two.endpoint.updatedAt - +one.endpoint.updatedAt);
      expect((await liveSecrets(endpoint.id)).slice(0, 2)).to.deep.equal(
        rotated.map((endpoint) => endpoint.signingSecret),
      );
    });

    it('H24: the secret of the later rotation is the newest, though its transaction began first', async () => {
      const { endpoint } = await create();
      const { id } = endpoint;
      const made = await database.transact(async (early) => {
        const first = [(await rotate(id)).signingSecret, (await rotate(id)).signingSecret];
        return [...first, (await rotateSigningSecret(early, account, id)).signingSecret];
      });
      expect((await liveSecrets(id)).slice(0, 3)).to.deep.equal(made.reverse());
    });

    it('reseals secrets with the newest key, batch by batch, without changing their values', async () => {
      const made: [string, string][] = [];
      for (let count = 0; count < 3; count += 1) {
        const { endpoint, signingSecret } = await create();
        made.push([endpoint.id, signingSecret]);
      }

      const ring = [
        { id: 'k2', key: Buffer.alloc(32, 8) },
        { id: 'k1', key: Buffer.alloc(32, 7) },
      ];

      const rotated = await test.open({ rules: testRules({ sealer: new Sealer(ring) }) });
      let batches = 0;
      for (let after: string | undefined = ''; after !== undefined; batches += 1) {
        const from: string = after;
        const { closed, last } = await rotated.transact((tx) => resealSecrets(tx, 2, from));
        expect(closed).to.eql([]);
        after = last;
      }

      expect(batches).to.be.greaterThan(2);
      for (const [id, secret] of made) expect(await liveSecrets(id, 8)).to.deep.equal([secret]);
    });
  });
});
