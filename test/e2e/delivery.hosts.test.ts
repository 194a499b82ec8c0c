import { expect } from 'chai';
import { answer } from '../support/behaviours.js';
import { insertEndpoint } from '../support/engine.js';
import { eventually } from '../support/eventually.js';
import { type EventStream, openEventStream } from '../support/event-stream.js';
import { onPostgres, type TestQueue } from '../support/queue-backends.js';

const perHost = 3;

describe('the endpoints of an account at one host', () => {
  let queue: TestQueue;
  let stream: EventStream;

  before(async () => {
    queue = await onPostgres();
    stream = await openEventStream(queue, {
      WEBHOOKS_TIMEOUT: '60s',
      WORKER_HOST_CONCURRENCY: String(perHost),
    });
  });

  after(async () => {
    await stream.drop();
    await queue.drop();
  });

  const insert = (path: string, host?: string) =>
    insertEndpoint(stream.database, stream.account, `url = '${stream.receiver.url(path, host)}'`);
  const arrived = (path: RegExp) =>
    stream.receiver.requests.filter((request) => path.test(request.path)).length;

  it('H261: share the slots of a worker for that host, and another host does not wait', async () => {
    for (let place = 1; place <= 8; place += 1) await insert(`/hook?place=${place}`);
    await insert('/other', 'localhost');

    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    let inFlight = 0;
    let most = 0;
    stream.receiver.choose(({ path }) => async (request, response) => {
      if (path === '/other') return answer(200)(request, response);
      inFlight += 1;
      most = Math.max(most, inFlight);
      await released;
      // Before the response: once the worker has it, the next request may come.
      inFlight -= 1;
      return answer(200)(request, response);
    });

    await stream.startWorker();
    for (let count = 0; count < 4; count += 1) await stream.publish();

    await eventually(() => {
      expect(arrived(/^\/hook/)).to.equal(perHost);
      expect(arrived(/^\/other/)).to.equal(4);
    }, 'as many attempts are under way as may be, and all at the other host were made');

    release();
    await stream.close('one host');
    expect(arrived(/^\/hook/)).to.equal(4 * 9);
    expect(most).to.equal(perHost);
  });
});
