import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { expect } from 'chai';
import {
  purgeStreamProcesses,
  streamsOfPortals,
  streamsPerAccount,
} from '../../../src/domain/stream/slots.js';
import type { Read, Transact } from '../../../src/domain/transaction/tx.js';
import { StreamSlots } from '../../../src/http/stream/slots.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';

const account = 'acc_1';
const request = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

describe('the streams of an account', () => {
  const errors: unknown[] = [];
  const sockets: Socket[] = [];
  const opened: StreamSlots[] = [];
  let responses: ServerResponse[] = [];
  let test: TestDatabase;
  let server: Server;

  before(async () => {
    test = await createTestDatabase();
    server = createServer((_request, response) => responses.push(response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });

  beforeEach(() => test.query('truncate stream_process, stream_slot'));

  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await Promise.all(opened.splice(0).map((slots) => slots.close()));
    errors.length = 0;
  });

  after(async () => {
    server.close();
    await test.drop();
  });

  /** The slots of a process that names itself `process`. */
  const slotsOf = async (
    process: string,
    change: (transact: Transact) => Transact = (transact) => transact,
    beforeRead: Promise<void> = Promise.resolve(),
  ) => {
    const { read, transact } = await test.open();
    const onError = (error: unknown) => errors.push(error);
    const waiting: Pick<Read, 'sql'> = {
      sql: (...args) => beforeRead.then(() => read.sql(...args)),
    };
    const slots = new StreamSlots({ read: waiting, transact: change(transact), process, onError });
    opened.push(slots);
    return slots;
  };

  /** Sends requests on one connection, and returns their responses, with what ends them. */
  const receive = async (count: number) => {
    responses = [];
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    sockets.push(socket);
    socket.write(request.repeat(count));
    await eventually(() => expect(responses).to.have.lengthOf(count), 'the requests arrive');
    const received = responses;
    for (const { req } of received) req.socket.setMaxListeners(0);
    const leave = async () => {
      socket.destroy();
      await eventually(() => expect(received[0]?.destroyed).to.equal(true), 'the client has gone');
    };
    return { received, leave };
  };

  const stored = async () => (await test.query('select from stream_slot')).length;
  const isStored = (count: number) =>
    eventually(async () => expect(await stored()).to.equal(count), `${count} slots are taken`);
  const take = async (slots: StreamSlots, count: number, of = account) => {
    const { received, leave } = await receive(count);
    const taken = await Promise.all(received.map((response) => slots.acquire(of, response)));
    return { taken: taken.filter(Boolean).length, leave };
  };

  it('counts streams of all processes together, even when they open at the same time', async () => {
    const processes = [await slotsOf('one'), await slotsOf('two'), await slotsOf('three')];
    const requests = [];

    for (const slots of processes)
      requests.push(await receive(15).then((sent) => ({ slots, ...sent })));

    const taken = await Promise.all(
      requests.flatMap(({ slots, received }) =>
        received.map((response) => slots.acquire(account, response)),
      ),
    );

    expect(taken.filter(Boolean)).to.have.lengthOf(streamsPerAccount);
    expect(await take(await slotsOf('four'), 1, 'acc_2')).to.include({ taken: 1 });
    await Promise.all(requests.map(({ leave }) => leave()));
    await isStored(1);
    expect(await take(await slotsOf('five'), 30)).to.include({ taken: streamsPerAccount });
  });

  it('H162: gives portals at most half of the streams, so that the account keeps some', async () => {
    const slots = await slotsOf('one');
    const { received } = await receive(15);
    const portals = await Promise.all(
      received.map((response) => slots.acquire(account, response, true)),
    );
    expect(portals.filter(Boolean)).to.have.lengthOf(streamsOfPortals);
    const others = await take(await slotsOf('two'), 15);
    expect(others).to.include({ taken: streamsPerAccount - streamsOfPortals });
  });

  it('frees the streams of a process that has not reported for 15 seconds', async () => {
    const transact = (await test.open()).transact;
    await test.query(`insert into stream_process values ('dead', now())`);

    await test.query(
      `insert into stream_slot (account_id, process_id, id)
       select $1, 'dead', n from generate_series(1, ${streamsPerAccount}) n`,
      [account],
    );

    const seen = (ago: string) =>
      test.query(`update stream_process set seen_at = clock_timestamp() - $1::interval`, [ago]);
    await seen('-10 seconds');

    const slots = await slotsOf('alive');
    expect(await take(slots, 1)).to.include({ taken: 0 });

    // Written before the clock was set back.
    await seen('-1 hour');
    expect(await take(slots, 1)).to.include({ taken: 1 });
    await seen('16 seconds');
    expect(await take(slots, 2)).to.include({ taken: 2 });
    await seen('61 minutes');
    expect(await transact((tx) => purgeStreamProcesses(tx, 10))).to.be.at.least(1);
    expect(await test.query(`select from stream_slot where process_id = 'dead'`)).to.be.empty;
  });

  it('frees streams when their process stops', async () => {
    const slots = await slotsOf('one');
    await take(slots, 3);
    await isStored(3);
    await slots.close();
    expect(await stored()).to.equal(0);
    expect(errors).to.deep.equal([]);
  });

  it('counts no client that left before its slot was taken', async () => {
    const slots = await slotsOf('one');
    const { received, leave } = await receive(1);
    await leave();
    for (const response of received) await slots.acquire(account, response);
    expect(await stored()).to.equal(0);
  });

  it('counts no client that left while its slot was being taken', async () => {
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const slots = await slotsOf('one', (transact) => async (work, options) => {
      await released;
      return transact(work, options);
    });
    const { received, leave } = await receive(1);
    const taken = received.map((response) => slots.acquire(account, response));
    await leave();
    release();
    expect(await Promise.all(taken)).to.deep.equal([true]);
    await isStored(0);
  });

  it('counts no request that waited behind another on a closed connection', async () => {
    const slots = await slotsOf('one');
    const { leave } = await take(slots, 2);
    await isStored(2);
    await leave();
    await isStored(0);
  });

  it('frees a slot whose outcome was unknown', async () => {
    const slots = await slotsOf('one', (transact) => async (work, options) => {
      await transact(work, options);
      throw new Error('The connection broke.');
    });
    const { received, leave } = await receive(1);
    const [response] = received;
    if (!response) throw new Error('no response');
    const refusal = await slots.acquire(account, response).catch((error: unknown) => String(error));
    expect(refusal).to.equal('Error: The connection broke.');
    await isStored(1);
    await leave();
    await isStored(0);
  });

  it('frees streams in its process before that is stored', async () => {
    let store: () => void = () => undefined;
    const stored = new Promise<void>((resolve) => (store = resolve));
    const slots = await slotsOf('one', undefined, stored);
    const { leave } = await take(slots, streamsPerAccount);
    expect(await take(slots, 1)).to.include({ taken: 0 });
    await leave();
    expect(await take(slots, streamsPerAccount + 1)).to.include({ taken: streamsPerAccount });
    store();
  });

  it('counts streams while their process renews them, and frees them later if that fails at first', async () => {
    const slots = await slotsOf('one');
    await take(slots, 1);

    const { leave } = await take(slots, 2);
    await test.query(`update stream_process set seen_at = now() - interval '14 seconds'`);

    const renewed = `select from stream_process where seen_at > now() - interval '10 seconds'`;
    await eventually(
      async () => expect(await test.query(renewed)).to.have.lengthOf(1),
      'the process renews its row',
    );

    await test.query('alter table stream_slot rename to stream_slot_away');
    await leave();
    await eventually(() => expect(errors).to.have.lengthOf(1), 'the slots cannot be freed');
    await test.query('alter table stream_slot_away rename to stream_slot');
    await isStored(1);
    expect(errors).to.have.lengthOf(1);
  });
});
