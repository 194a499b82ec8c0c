import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import { createPoster, type Poster } from '../../../src/outbound/post.js';
import { testAuthority } from '../../support/authority.js';

/** A receiver that accepts no connection until it is released. */
const stoppedReceiver = `
const { createServer } = require('node:https');
const { parentPort, workerData } = require('node:worker_threads');
const { cert, key, released } = workerData;
const server = createServer({ cert, key }, (request, response) => {
  request.resume();
  response.writeHead(204).end();
});
server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
  parentPort.postMessage(server.address().port);
  Atomics.wait(released, 0, 0);
});
`;

describe('connecting to a receiver', () => {
  const released = new Int32Array(new SharedArrayBuffer(4));
  const queued: Socket[] = [];
  let thread: Worker;
  let poster: Poster;

  const release = () => {
    Atomics.store(released, 0, 1);
    Atomics.notify(released, 0);
  };

  afterEach(async () => {
    release();
    for (const socket of queued) socket.destroy();
    await poster.close();
    await thread.terminate();
  });

  it('H257: waits for an address that loses packets after another one refused', async () => {
    const authority = await testAuthority();
    const certificate = await authority.issue({ names: ['r.example'] });
    const workerData = { ...certificate, released };
    thread = new Worker(stoppedReceiver, { eval: true, workerData });
    const [port] = (await once(thread, 'message')) as [number];
    poster = createPoster({
      timeoutMs: 60_000,
      allowPrivateTargets: { kind: 'private' },
      caFile: authority.caFile,
      resolve: () =>
        Promise.resolve([
          { address: '127.0.0.1', family: 4 },
          { address: '::1', family: 6 },
        ]),
    });

    // The system drops packets of new connections while the queue of accepted ones is full.
    for (let n = 0; n < 2; n += 1) {
      const socket = connect(port, '127.0.0.1').on('error', () => undefined);
      queued.push(socket);
      await once(socket, 'connect');
    }

    const attempt = poster.post(`https://r.example:${port}/`, {}, Buffer.from('{}'));
    // The first packet of the attempt is dropped as soon as it is sent.
    for (let n = 0; n < 10; n += 1) await turn();
    release();
    expect((await attempt).outcome).to.deep.equal({ kind: 'accepted', status: 204 });
  });
});
