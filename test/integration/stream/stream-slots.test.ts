import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { expect } from 'chai';
import { StreamSlots, streamsPerAccount } from '../../../src/stream/stream-slots.js';
import { eventually } from '../../support/eventually.js';

const account = 'acc_1';
const request = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

describe('the streams of an account', () => {
  const responses: ServerResponse[] = [];
  let server: Server;
  let socket: Socket;

  before((done) => {
    server = createServer((_request, response) => responses.push(response));
    server.listen(0, '127.0.0.1', done);
  });
  beforeEach(() => {
    responses.length = 0;
    socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  });
  afterEach(() => socket.destroy());
  after(() => server.close());

  const opened = async (count: number) => {
    socket.write(request.repeat(count));
    await eventually(() => expect(responses).to.have.lengthOf(count), 'the requests arrive');
    return responses;
  };
  const closed = async () => {
    const [first] = responses;
    socket.destroy();
    await eventually(() => expect(first?.destroyed).to.equal(true), 'the client has gone');
  };
  const freeSlots = async (slots: StreamSlots) => {
    const [response] = await opened(1);
    if (!response) throw new Error('no response');
    response.setMaxListeners(0);
    response.req.socket.setMaxListeners(0);
    let free = 0;
    while (free <= streamsPerAccount && slots.acquire(account, response)) free += 1;
    return free;
  };
  const reconnect = () => {
    responses.length = 0;
    socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  };

  it('count no client that went before its slot was taken', async () => {
    const slots = new StreamSlots();
    const [response] = await opened(1);
    await closed();
    if (response) slots.acquire(account, response);
    reconnect();
    expect(await freeSlots(slots)).to.equal(streamsPerAccount);
  });

  it('count no request that waited behind another on a connection that closed', async () => {
    const slots = new StreamSlots();
    for (const response of await opened(2)) slots.acquire(account, response);
    await closed();
    reconnect();
    expect(await freeSlots(slots)).to.equal(streamsPerAccount);
  });
});
