import { expect } from 'chai';
import { encodePosition, decodePosition } from '../../src/domain/stream/position.js';
import { eventually } from '../support/eventually.js';
import { type Service, sharedService } from '../support/service.js';
import { SseClient } from '../support/event-stream.js';
import { createTenant, setRole, type Tenant } from '../support/tenants.js';

describe('the live stream', () => {
  let service: Service;
  let tenant: Tenant;
  let token: string;

  before(async () => {
    service = await sharedService();
    tenant = await createTenant(service);
    ({ token } = await tenant.credential({ kind: 'live' }));
  });

  const open = (query = '', lastEventId?: string, as = token) =>
    SseClient.open(service.url, { token: as, query, lastEventId });

  const refusal = async (...args: Parameters<typeof open>) => {
    const { response, problem } = await open(...args);
    const { code, errors } = JSON.parse(problem) as { code: string; errors: { param?: string }[] };
    return [response.statusCode, code, ...errors.flatMap(({ param }) => param ?? [])];
  };

  const position = async () => {
    const client = await (await open()).joined();
    client.close();
    return decodePosition(client.lastEventId!)!;
  };

  it('H161: refuses credentials that may not read webhooks', async () => {
    expect(await refusal('', undefined, 'sk_live_x')).to.deep.equal([401, 'unauthorized']);
    const internal = await tenant.credential({ kind: 'internal' });
    expect(await refusal('', undefined, internal.token)).to.deep.equal([401, 'unauthorized']);
    const restricted = await tenant.credential({
      kind: 'live',
      level: 'restricted',
      webhooks: 'none',
      orders: 'read',
    });
    expect(await refusal('', undefined, restricted.token)).to.deep.equal([403, 'forbidden']);
  });

  it('H159: names each parameter that it refuses', async () => {
    expect(await refusal('?kinds=event,nothing&since=yesterday&other=1')).to.deep.equal([
      422,
      'validation_failed',
      'other',
    ]);

    expect(await refusal('?kinds=event,nothing&since=yesterday', 'x')).to.deep.equal([
      422,
      'validation_failed',
      'last_event_id',
      'kinds',
      'since',
    ]);

    for (const since of ['31d', '9999-11-31T00:00:00Z', '9999-12-30T24:00:00Z']) {
      expect(await refusal(`?since=${since}`)).to.deep.equal([422, 'validation_failed', 'since']);
    }
  });

  it('H160: answers 410 to a position that is too old, of another database, or beyond this one', async () => {
    const { database, base } = await position();
    const gone = [410, 'stream_position_gone'];
    const old = { ...base, since: base.since - 31 * 86_400_000 };
    const xmax = base.snapshot.xmax + 1_000_000n;
    const beyond = { ...base, snapshot: { ...base.snapshot, xmax } };
    for (const other of [
      { database, base: old },
      { database: 'x'.repeat(12), base },
      { database, base: beyond },
    ]) {
      expect(await refusal('', encodePosition(other))).to.deep.equal(gone);
    }

    const page = await fetch(`${service.url}/problems/stream-position-gone`);
    expect(page.status).to.equal(200);
  });

  it('H160: begins with earlier events on request, and filters', async () => {
    const ids = [
      await tenant.publish({}),
      await tenant.publish({ type: 'webhook.endpoint.failing' }),
    ];

    const all = await (await open('?kinds=event&since=10m')).joined();
    expect(all.ids('event')).to.have.members(ids);

    const some = await (await open('?types=cart.order.completed&since=10m')).joined();
    expect(some.ids('event')).to.deep.equal(ids.slice(0, 1));

    const other = await createTenant(service);
    const credential = await other.credential({ kind: 'live' });
    const foreign = await (await open('?since=10m', undefined, credential.token)).joined();
    expect(foreign.of('event')).to.deep.equal([]);
    for (const client of [all, some, foreign]) client.close();
  });

  it('H162: opens 20 streams of an account, and no more until one closes', async () => {
    const clients = await Promise.all(Array.from({ length: 20 }, () => open()));
    expect(await refusal()).to.deep.equal([429, 'stream_limit_reached']);
    clients.pop()?.close();
    await eventually(async () => {
      const client = await open();
      clients.push(client);
      expect(client.response.statusCode).to.equal(200);
    }, 'a slot is free');
    for (const client of clients) client.close();
  });

  it('H161: ends a stream at once when its key is revoked or its role changes', async () => {
    const role = await tenant.credential({ kind: 'live', role: 'developer' });
    const { id, token: other } = await tenant.credential({ kind: 'live' });
    const streams = [await open('', undefined, role.token), await open('', undefined, other)];
    const [byRole, byKey] = await Promise.all(streams.map((client) => client.joined()));
    const stays = await (await open()).joined();

    await tenant.graphql('mutation ($id: ID!) { revokeCredential(id: $id) }', { id });
    await setRole(service, role.id, 'accountant');

    for (const client of [byKey, byRole]) {
      await eventually(() => expect(client?.ended).to.equal(true), 'the stream ended');
      expect(client?.frames.at(-1)).to.deep.include({
        event: 'cut',
        data: { reason: 'credential_revoked' },
      });
    }

    expect(stays.ended).to.equal(false);
    stays.close();
  });

  it('H161: serves an internal credential the account that it names', async () => {
    const { token: internal } = await tenant.credential({ kind: 'internal' });
    const openInternal = (query: string) =>
      SseClient.open(service.internalUrl, { token: internal, query });
    const client = await (await openInternal(`?account=${tenant.account}`)).joined();
    const id = await tenant.publish({});
    await eventually(() => expect(client.ids('event')).to.deep.equal([id]), 'the event');
    client.close();
    expect((await openInternal('')).response.statusCode).to.equal(422);
    expect((await openInternal('?account=acc_none0')).response.statusCode).to.equal(404);
  });

  it('H155, H161: ends the stream of an operator when its account is erased', async () => {
    const { token: internal } = await tenant.credential({ kind: 'internal' });
    const { account } = await createTenant(service);
    const query = `?account=${account}`;
    const client = await (
      await SseClient.open(service.internalUrl, { token: internal, query })
    ).joined();

    await service.database.query('update account set erased_at = now() where id = $1', [account]);
    await eventually(() => expect(client.ended).to.equal(true), 'the stream ended');

    expect(client.frames.at(-1)).to.deep.include({
      event: 'cut',
      data: { reason: 'credential_revoked' },
    });

    const again = await SseClient.open(service.internalUrl, { token: internal, query });
    expect(again.response.statusCode).to.equal(404);
  });
});
