import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { expect } from 'chai';
import type { StreamAccess } from '../../../src/http/stream/frames.js';
import { StreamClient, onDisconnect } from '../../../src/http/stream/client.js';
import { eventually } from '../../support/eventually.js';

const frame = Buffer.alloc(65_536, 'x');
const mebibyte = 1_048_576;

describe('a client of the live stream that does not read', () => {
  const cuts: string[] = [];
  let server: Server;
  let socket: Socket;
  let client: StreamClient;
  let unsent: () => number;

  before(async () => {
    const opened = new Promise<void>((resolve) => {
      server = createServer((_request, response) => {
        const filter = { kinds: undefined, types: undefined, endpoint: undefined };
        const access = { bodies: true };
        const findAccess = () => Promise.resolve(access);
        const owner = { account: 'acc_1', filter, access, findAccess };
        client = new StreamClient(response, owner, (reason) => cuts.push(reason));
        unsent = () => response.writableLength;
        resolve();
      });
    });

    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    socket = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await opened;
  });

  after(() => {
    socket.destroy();
    server.close();
  });

  it('H179: cuts the client with a reason once a mebibyte waits for it, and the client reads the reason', async () => {
    for (let sent = 0; sent < 1_000 && !client.ended; sent += 1) {
      client.send(frame);
      expect(unsent()).to.be.at.most(mebibyte + 2 * frame.length);
      // Lets the kernel take what it can.
      await new Promise((resolve) => setImmediate(resolve));
    }

    expect(cuts).to.deep.equal(['slow_client']);

    let end = '';
    socket.resume().on('data', (data: Buffer) => (end = (end + data.toString()).slice(-200)));

    await eventually(
      () => expect(end).to.include('event: cut\ndata: {"reason":"slow_client"}\n\n'),
      'the client reads why',
    );
  });
});

describe('the access of a client of the live stream', () => {
  it('H242: a client has the access of the last look-up, even if an earlier one ends after it', async () => {
    const answers: ((access: StreamAccess | undefined) => void)[] = [];
    const owner = {
      account: 'acc_1',
      filter: { kinds: undefined, types: undefined, endpoint: undefined },
      access: { bodies: true },
      findAccess: () => new Promise<StreamAccess | undefined>((resolve) => answers.push(resolve)),
    };

    const response = { destroyed: false, req: { socket: { destroyed: false } } };
    const client = new StreamClient(response as unknown as ServerResponse, owner, () => undefined);

    const lookUps = [client.recheck(), client.recheck()];

    answers[1]?.({ bodies: false });
    await lookUps[1];
    answers[0]?.({ bodies: true });
    await lookUps[0];
    expect(client.access).to.deep.equal({ bodies: false });
  });
});

const request = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

describe('a response whose client disconnects', () => {
  it('onDisconnect calls back once, even when the response waits behind another', async () => {
    const responses: ServerResponse[] = [];
    const server = createServer((_request, response) => responses.push(response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write(request.repeat(2));
    await eventually(() => expect(responses).to.have.lengthOf(2), 'the requests arrive');

    const calls = [0, 0];
    const closed: string[] = [];

    for (const [index, response] of responses.entries()) {
      onDisconnect(response, () => (calls[index] = (calls[index] ?? 0) + 1));
    }

    responses[0]?.on('close', () => closed.push('response'));
    responses[0]?.req.socket.on('close', () => closed.push('socket'));
    socket.destroy();
    await eventually(() => expect(closed).to.have.lengthOf(2), 'both are closed');
    await new Promise((resolve) => server.close(resolve));
    expect(calls).to.deep.equal([1, 1]);
  });
});
