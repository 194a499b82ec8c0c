import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import type { Attempt } from '../../../src/domain/delivery/outcome.js';
import { createWebhookClient, type WebhookClient } from '../../../src/outbound/post.js';
import { testAuthority } from '../../support/authority.js';
import { standStill } from '../../support/eventually.js';

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
  const timeoutMs = 5_000;
  let counts: Int32Array;
  let thread: Worker;
  let webhookClient: WebhookClient;
  let post: () => Promise<Attempt>;

  beforeEach(async () => {
    const authority = await testAuthority();
    counts = new Int32Array(new SharedArrayBuffer(8));
    const workerData = { ...(await authority.issue()), counts };
    thread = new Worker(receiver, { eval: true, workerData });
    const [port] = (await once(thread, 'message')) as [number];
    webhookClient = createWebhookClient({
      timeoutMs,
      allowPrivateTargets: { kind: 'cidrs', cidrs: ['127.0.0.0/8'] },
      caFile: authority.caFile,
    });
    post = () => webhookClient.post(`https://127.0.0.1:${port}/`, {}, Buffer.from('{}'));
  });

  afterEach(async () => {
    await webhookClient.close();
    await thread.terminate();
  });

  /** Waits until the connection that `answered` attempts have used may carry another. */
  const rested = async (answered: number) => {
    // A connection rests until sockets were looked at once more after each answer.
    await turn();
    await turn();
    // The receiver counts an answer when it has been sent, which may be after it got here.
    while (Atomics.load(counts, 1) < answered) await turn();
  };

  /** Makes another attempt, and stands still until it is answered. */
  const postAndStandStill = (answered: number): Promise<Attempt> => {
    const attempt = post();
    Atomics.wait(counts, 1, answered, 60_000);
    expect(Atomics.load(counts, 1), 'answers while this thread stood still').to.equal(answered + 1);
    return attempt;
  };

  it('keeps its connections though answers are there before it looks up', async () => {
    await post();
    for (let answered = 1; answered < 4; answered += 1) {
      await rested(answered);
      const { outcome } = await postAndStandStill(answered);
      expect(outcome).to.deep.equal({ kind: 'accepted', status: 204 });
    }
    expect(Atomics.load(counts, 0)).to.equal(1);
  });

  it('H255: counts a response that arrived before the process noticed its timeout', async () => {
    await post();
    await rested(1);
    const attempt = postAndStandStill(1);
    standStill(timeoutMs + 100);
    expect((await attempt).outcome).to.deep.equal({ kind: 'accepted', status: 204 });
  });
});
