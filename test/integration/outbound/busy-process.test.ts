import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import { createPoster } from '../../../src/outbound/post.js';
import { testAuthority } from '../../support/authority.js';

/** A receiver that runs while this thread stands still; it counts connections and answers. */
const receiver = `
const { createServer } = require('node:https');
const { parentPort, workerData } = require('node:worker_threads');
const { cert, key, counts } = workerData;
const server = createServer({ cert, key }, (request, response) => {
  request.resume();
  request.on('end', () => {
    response.writeHead(204).end(() => {
      // The answer is on its way when what was written has left this thread.
      setImmediate(() => {
        Atomics.add(counts, 1, 1);
        Atomics.notify(counts, 1);
      });
    });
  });
});
server.on('secureConnection', () => Atomics.add(counts, 0, 1));
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

describe('posting from a process that is busy', () => {
  it('keeps its connections though answers are there before it looks up', async () => {
    const authority = await testAuthority();
    const counts = new Int32Array(new SharedArrayBuffer(8));
    const workerData = { ...(await authority.issue()), counts };
    const thread = new Worker(receiver, { eval: true, workerData });
    const [port] = (await once(thread, 'message')) as [number];
    const poster = createPoster({
      timeoutMs: 5_000,
      allowPrivateTargets: { kind: 'cidrs', cidrs: ['127.0.0.0/8'] },
      caFile: authority.caFile,
    });
    const post = () => poster.post(`https://127.0.0.1:${port}/`, {}, Buffer.from('{}'));
    try {
      await post();
      for (let answered = 1; answered < 4; answered += 1) {
        // A connection rests until sockets were looked at once more after each answer.
        await turn();
        await turn();
        // The receiver counts an answer when it has been sent, which may be after it got here.
        while (Atomics.load(counts, 1) < answered) await turn();
        const attempt = post();
        Atomics.wait(counts, 1, answered, 5_000);
        expect(Atomics.load(counts, 1), 'answers while this thread stood still').to.equal(
          answered + 1,
        );
        expect((await attempt).outcome).to.deep.equal({ kind: 'accepted', status: 204 });
      }
      expect(Atomics.load(counts, 0)).to.equal(1);
    } finally {
      await poster.close();
      await thread.terminate();
    }
  });
});
