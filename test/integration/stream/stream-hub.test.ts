import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { StreamAccess } from '../../../src/http/stream/frames.js';
import type { StreamFilter, StreamIntervals } from '../../../src/http/stream/client.js';
import { StreamHub } from '../../../src/http/stream/hub.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { SseClient, writeEvents } from '../../support/event-stream.js';

const account = 'acc_1';
const filter: StreamFilter = { kinds: undefined, types: undefined, endpoint: undefined };
const hour = 3_600_000;
const never: StreamIntervals = { heartbeatMs: hour, recheckMs: hour, drainMs: hour };
/** More than fits into the buffers of the kernel. */
const manyEvents = 80;
const bodyBytes = 200_000;

describe('the hub of the live streams of a process', () => {
  let test: TestDatabase;
  let server: Server;
  let hub: StreamHub | undefined;
  let access: StreamAccess;
  let findAccess: () => Promise<StreamAccess | undefined>;
  const cuts: string[] = [];
  const clients: SseClient[] = [];

  before(async () => {
    test = await createTestDatabase();
    server = createServer((_request, response) => {
      response.writeHead(200).flushHeaders();
      const owner = { account, filter, access, findAccess: () => findAccess() };
      hub?.open(response, owner, undefined);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });

  beforeEach(() => {
    access = { bodies: true };
    findAccess = () => Promise.resolve(access);
    cuts.length = 0;
  });

  afterEach(() => {
    for (const client of clients.splice(0)) client.close();
    hub?.close();
  });

  after(async () => {
    server.close();
    await test.drop();
  });

  const start = async (intervals: Partial<StreamIntervals> = {}) => {
    const { read } = await test.open();
    hub = new StreamHub({
      read,
      catchUpRead: read,
      intervals: { ...never, ...intervals },
      onError: (error) => cuts.push(String(error)),
      onCut: (reason) => cuts.push(reason),
    });
  };

  const open = async () => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const client = await SseClient.open(url, { token: 'x' });
    clients.push(client);
    return client;
  };

  const has = (client: SseClient, ids: readonly string[]) =>
    eventually(() => expect(client.ids('event')).to.have.lengthOf(ids.length), 'the events');

  it('H179: sends more than a mebibyte of one commit to each client that reads, at its own speed', async () => {
    await start();

    const fast = await (await open()).joined();
    const late = await (await open()).joined();
    late.pause();

    const ids = await writeEvents(test, account, manyEvents, bodyBytes);
    await has(fast, ids);
    late.resume();
    await has(late, ids);

    const [more = ''] = await writeEvents(test, account, 1, 10);

    for (const client of [fast, late]) {
      await has(client, [...ids, more]);
      expect(client.ids('event')).to.deep.equal([...ids, more]);
    }

    expect(cuts).to.deep.equal([]);
  });

  it('H179: cuts a client that does not read what waits for it', async () => {
    await start({ drainMs: 100 });
    const stuck = await (await open()).joined();
    stuck.pause();
    await writeEvents(test, account, manyEvents, bodyBytes);
    await eventually(() => expect(cuts).to.deep.equal(['slow_client']), 'the client is cut');
  });

  it('H163: sends heartbeats, with a position to clients that have caught up', async () => {
    await start({ heartbeatMs: 20 });
    const client = await (await open()).joined();
    await eventually(() => expect(client.of('position').length).to.be.above(2), 'positions');
    expect(client.heartbeats).to.be.above(2);
  });

  it('H161: looks credentials up again, and cuts those that are refused', async () => {
    let asked = 0;
    findAccess = () => {
      asked += 1;
      return Promise.reject(new Error('PostgreSQL does not answer'));
    };
    await start({ recheckMs: 20 });
    const client = await (await open()).joined();
    await eventually(() => expect(asked).to.be.above(2), 'look-ups');
    expect(client.ended).to.equal(false);
    findAccess = () => Promise.resolve(undefined);
    await eventually(() => expect(client.ended).to.equal(true), 'the stream ends');
    expect(cuts).to.deep.equal(['credential_revoked']);
  });

  it('H161: cuts a stream whose credential was refused while it was opening', async () => {
    findAccess = () => Promise.resolve(undefined);
    await start();
    const client = await open();
    await eventually(() => expect(client.ended).to.equal(true), 'the stream ends');
    expect(cuts).to.deep.equal(['credential_revoked']);
  });

  it('H242: sends bodies only to clients that may read them, by the result of each look-up', async () => {
    await start();

    const reader = await (await open()).joined();
    access = { bodies: false };

    const other = await (await open()).joined();
    const bodiesOf = (client: SseClient) =>
      client.of('event').map(({ data }) => typeof data['body'] === 'string');
    const first = await writeEvents(test, account, 1, 10);

    for (const client of [reader, other]) await has(client, first);
    expect([bodiesOf(reader), bodiesOf(other)]).to.deep.equal([[true], [false]]);

    // From now on none of them may.
    await hub?.recheck();

    const second = [...first, ...(await writeEvents(test, account, 1, 10))];
    for (const client of [reader, other]) await has(client, second);
    expect(bodiesOf(reader)).to.deep.equal([true, false]);

    access = { bodies: true };
    await hub?.recheck();

    const third = [...second, ...(await writeEvents(test, account, 1, 10))];
    for (const client of [reader, other]) await has(client, third);

    expect([bodiesOf(reader), bodiesOf(other)]).to.deep.equal([
      [true, false, true],
      [false, false, true],
    ]);
  });
});
