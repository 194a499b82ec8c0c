import { expect } from 'chai';
import { fetch } from 'undici';
import { eventually } from '../support/eventually.js';
import { type EventStream, openEventStream } from '../support/event-stream.js';
import { describeOnQueues, through, type TestQueue } from '../support/queue-backends.js';
import { createFailpointProxy, type FailpointProxy } from '../support/proxies.js';

describeOnQueues('R8: a claim whose response gets lost', (create) => {
  let queue: TestQueue;
  let stream: EventStream;
  let postgres: FailpointProxy;

  before(async () => {
    queue = await create();
  });
  after(() => queue.drop());

  beforeEach(async () => {
    stream = await openEventStream(queue);
    postgres = await createFailpointProxy(Number(new URL(stream.database.url).port));
  });

  afterEach(async () => {
    await stream.drop();
    await postgres.close();
  });

  it('gives back and sends the deliveries of the lost claim, and counts no lease and no interruption', async () => {
    let injected = false;
    const matches = (text: string) => text.includes(stream.receiver.url('/hook'));
    postgres.arm({ when: 'response', matches }, () => (injected = true));

    const worker = await stream.startWorker({
      DATABASE_URL: through(postgres, stream.database.url),
      // Leases outlive this test, so that none is ended by the poller.
      WEBHOOKS_TIMEOUT: '60s',
    });

    await stream.publish();
    await eventually(() => expect(injected).to.equal(true), 'the answer got lost');

    const { duplicates } = await stream.close('answer of a claim lost');
    expect(duplicates).to.equal(0);

    const metrics = await (await fetch(`${worker.healthUrl}/metrics`)).text();
    expect(metrics).to.match(/signalpost_poll_finds_total\{found="ambiguous"\} 1/);
    expect(metrics).not.to.match(/found="interrupted"/);
  });
});
