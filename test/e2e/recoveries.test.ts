import { expect } from 'chai';
import { fetch } from 'undici';
import { gateway } from '../support/behaviours.js';
import { createEndpoint, endpointsPath, listDeliveries } from '../support/endpoints.js';
import { eventually } from '../support/eventually.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { insertPastEvent, insertRecords } from '../support/recoveries.js';
import { type Service, sharedService } from '../support/service.js';
import { createTenant, type Tenant } from '../support/tenants.js';

interface RecoveryBody {
  readonly id: string;
  readonly status: string;
  readonly reason: string | null;
  readonly failed: number;
  readonly missed: number;
  readonly waiting: number;
}

const fields = '{ id status reason failed missed waiting }';
const start = `mutation ($input: StartRecoveryInput!, $account: ID) {
  startRecovery(input: $input, account: $account) ${fields} }`;
const preview = `query ($input: RecoveryRangeInput!, $account: ID) {
  previewRecovery(input: $input, account: $account) {
    failed missed oldest newest complete estimatedSeconds } }`;
const find = `query ($id: ID!, $account: ID) { recovery(id: $id, account: $account) ${fields} }`;
const list = `query ($account: ID) {
  recoveries(account: $account) { data { id status } page { hasMore } } }`;
const change = (name: string) =>
  `mutation ($id: ID!, $account: ID) { changed: ${name}(id: $id, account: $account) ${fields} }`;

describe('recoveries', () => {
  let service: Service;
  let receiver: Receiver;
  let tenant: Tenant;
  let account: string;
  let endpoint: string;

  before(async () => {
    service = await sharedService();
    receiver = await startReceiver();
  });

  after(() => receiver.close());

  beforeEach(async () => {
    tenant = await createTenant(service);
    ({ account } = tenant);
    ({ id: endpoint } = await createEndpoint(tenant.rest, { url: receiver.url(`/${account}`) }));
    await service.database.query(
      `update endpoint set created_at = now() - interval '2 hours' where id = $1`,
      [endpoint],
    );
  });

  const past = (changes = {}) => insertPastEvent(service.database, account, changes);
  const abandoned = async () => {
    const event = await past();
    await insertRecords(service.database, { account, endpoint, event }, 'failed', 'abandoned');
    return event;
  };

  const input = (changes: object = {}) => ({ endpoint, what: 'both', ...changes });
  const run = async (changes: object = {}) => {
    const variables = { input: input({ idempotencyKey: 'once', ...changes }), account };
    return (await tenant.graphql<{ startRecovery: RecoveryBody }>(start, variables)).startRecovery;
  };

  const read = async (id: string) =>
    (await tenant.graphql<{ recovery: RecoveryBody }>(find, { id, account })).recovery;
  const act = async (name: string, id: string) =>
    (await tenant.graphql<{ changed: RecoveryBody }>(change(name), { id, account })).changed;
  const received = () =>
    receiver.requests
      .filter(({ path }) => path === `/${account}`)
      .map(({ headers }) => headers['webhook-id']);

  /** The errors of an operation, as a dashboard token or an internal credential gets them. */
  const refusal = async (query: string, variables: object, token: string) => {
    const response = await fetch(`${service.internalUrl}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ query, variables }),
    });
    const { errors } = (await response.json()) as {
      errors?: { extensions: { code: string; errors: { code: string; param?: string }[] } }[];
    };
    const [first] = errors ?? [];
    return first && [first.extensions.code, first.extensions.errors[0]?.code];
  };

  const until = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

  it('H143, H149: counts a recovery beforehand, then sends failed and missed events once', async () => {
    const events = [await abandoned(), await past()];
    await past({ test: true });
    await past({ endpointId: endpoint });

    const { previewRecovery } = await tenant.graphql<{ previewRecovery: object }>(preview, {
      input: input(),
      account,
    });

    expect(previewRecovery).to.include({
      failed: 1,
      missed: 1,
      complete: true,
      estimatedSeconds: 1,
    });

    expect(received()).to.deep.equal([]);

    const { id } = await run({ until: until(5) });
    await eventually(async () => {
      expect(await read(id)).to.include({ status: 'completed', failed: 1, missed: 1, waiting: 0 });
    }, 'the recovery is completed');
    expect(received()).to.have.members(events);

    const deliveries = await listDeliveries(tenant.rest);
    const successes = deliveries.filter(({ status }) => status === 'success');
    expect(successes.map(({ event_id }) => event_id)).to.have.members(events);

    const after = await tenant.graphql<{ previewRecovery: object }>(preview, {
      input: input(),
      account,
    });
    expect(after.previewRecovery).to.include({ failed: 0, missed: 0 });
  });

  it('H67, H75: enabling an endpoint sends nothing, unless a recovery is started', async () => {
    const event = await past();
    await tenant.rest.patch(`${endpointsPath}/${endpoint}`, { active: false });
    const { token } = await tenant.credential({ kind: 'dashboard' });
    const variables = { input: input({ idempotencyKey: 'off' }) };
    expect(await refusal(start, variables, token)).to.deep.equal([
      'endpoint_inactive',
      'endpoint_inactive',
    ]);
    await tenant.rest.patch(`${endpointsPath}/${endpoint}`, { active: true });
    expect(received()).to.deep.equal([]);
    await run({ until: until(5) });
    await eventually(() => expect(received()).to.deep.equal([event]), 'the event is received');
  });

  it('H144: reaches before the subscription only with includeBefore and orders at read level', async () => {
    const event = await past({ agoMs: 3 * 3_600_000 });
    const counts = async (changes: object) =>
      (
        await tenant.graphql<{ previewRecovery: { missed: number } }>(preview, {
          input: input(changes),
          account,
        })
      ).previewRecovery.missed;

    expect(await counts({})).to.equal(0);
    expect(await counts({ includeBefore: true })).to.equal(1);

    const { token } = await tenant.credential({ kind: 'dashboard', webhooks: 'write' });
    const variables = { input: input({ includeBefore: true, idempotencyKey: 'before' }) };
    const forbidden = ['forbidden', 'permission_missing'];
    expect(await refusal(start, variables, token)).to.deep.equal(forbidden);
    expect(await refusal(preview, { input: input({ includeBefore: true }) }, token)).to.deep.equal(
      forbidden,
    );
    await run({ includeBefore: true, until: until(5) });
    await eventually(() => expect(received()).to.deep.equal([event]), 'the event is received');
  });

  it('H146, H148: a recovery waits in its own lane, pauses, resumes and ends', async () => {
    const events: string[] = [];
    for (let count = 0; count < 5; count += 1)
      events.push(await past({ agoMs: 3_600_000 - count }));

    // Nothing is answered before the pause, so that at most two seconds of the rate are added.
    const { hold, release } = gateway();
    receiver.always(hold);

    const { id } = await run({ ratePerSecond: 1, until: until(5) });
    await eventually(() => expect(received()).to.have.length.above(0), 'the first is received');

    const paused = await act('pauseRecovery', id);
    expect(paused).to.include({ status: 'paused', reason: 'requested' });
    expect(paused.missed).to.be.below(5);
    release();
    expect(await act('pauseRecovery', id)).to.include({ status: 'paused' });
    await act('resumeRecovery', id);
    await eventually(() => expect(received()).to.have.members(events), 'all are received then');

    await eventually(
      async () => expect(await read(id)).to.include({ status: 'completed' }),
      'it ends',
    );

    const { token } = await tenant.credential({ kind: 'dashboard' });
    const ended = ['state_conflict', 'recovery_ended'];
    expect(await refusal(change('cancelRecovery'), { id }, token)).to.deep.equal(ended);
  });

  it('H147: starts one recovery per key, and one at a time for an endpoint', async () => {
    const once = { until: until(5), ratePerSecond: 1 };
    const first = await run(once);
    expect(await run(once)).to.include({ id: first.id });

    const { token } = await tenant.credential({ kind: 'dashboard' });
    const refused = (changes: object) =>
      refusal(start, { input: input({ idempotencyKey: 'once', ...changes }) }, token);
    expect(await refused({ what: 'failed' })).to.deep.equal([
      'state_conflict',
      'recovery_key_conflict',
    ]);

    await service.database.query(`update recovery set status = 'paused' where id = $1`, [first.id]);

    expect(await refused({ idempotencyKey: 'other' })).to.deep.equal([
      'state_conflict',
      'recovery_active',
    ]);

    expect(await act('cancelRecovery', first.id)).to.include({ status: 'cancelled' });

    const other = await createTenant(service);
    const foreign = { id: first.id, account: other.account };
    const { token: internal } = await other.credential({ kind: 'internal' });
    expect(await refusal(find, foreign, internal)).to.deep.equal(['not_found', 'not_found']);

    const page = await tenant.graphql<{ recoveries: { data: object[] } }>(list, { account });
    expect(page.recoveries.data).to.deep.equal([{ id: first.id, status: 'cancelled' }]);
  });
});
