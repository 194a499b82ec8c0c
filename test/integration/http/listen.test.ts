import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import { Agent, Client, request } from 'undici';
import { listen } from '../../../src/http/server/listen.js';
import { createLogger } from '../../../src/process/log.js';
import { eventually } from '../../support/eventually.js';

const options = {
  host: '127.0.0.1',
  port: 0,
  origin: 'http://127.0.0.1',
  log: createLogger('test', 'silent'),
};

describe('a listener that closes', () => {
  it('answers on kept connections, and tells their clients to leave', async () => {
    const waiting: ServerResponse[] = [];
    const listening = await listen((request, response) => {
      if (request.url === '/slow') waiting.push(response);
      else response.end('done');
    }, options);

    const idle = new Client(listening.address);
    const busy = new Client(listening.address);
    const first = await idle.request({ path: '/', method: 'GET' });
    expect(await first.body.text()).to.equal('done');
    expect(first.headers['connection']).to.equal('keep-alive');

    const slow = busy.request({ path: '/slow', method: 'GET' });
    await eventually(() => expect(waiting).to.have.lengthOf(1), 'it is under way');

    const closed = listening.drain(0).then(() => listening.close());
    const again = await idle.request({ path: '/', method: 'GET' });
    expect(await again.body.text()).to.equal('done');
    expect(again.headers['connection']).to.equal('close');
    waiting[0]?.end('done');

    const answered = await slow;
    expect(await answered.body.text()).to.equal('done');
    expect(answered.headers['connection']).to.equal('close');
    await closed;
    await Promise.all([idle.destroy(), busy.destroy()]);
  });

  it('answers the request under way and does not wait for its kept connection', async () => {
    let answer: ((response: ServerResponse) => void) | undefined;
    const arrived = new Promise<ServerResponse>((resolve) => (answer = resolve));
    const listening = await listen((_request, response) => answer?.(response), options);
    const dispatcher = new Agent({ keepAliveTimeout: 60_000 });
    const answered = request(listening.address, { dispatcher });
    const response = await arrived;
    const closed = listening.close();
    const finished = once(response, 'finish');

    response.end('done');
    await finished;

    const { body } = await answered;
    expect(await body.text()).to.equal('done');

    // If idle connections stayed open, this would wait for the keep-alive limit, longer than the test may take.
    await closed;
    await dispatcher.close();
  });
});
