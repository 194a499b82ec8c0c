import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import { Agent, request } from 'undici';
import { listen } from '../../../src/http/listen.js';
import { createLogger } from '../../../src/log.js';

describe('a listener that closes', () => {
  it('answers the request under way and does not wait for its kept connection', async () => {
    let answer: ((response: ServerResponse) => void) | undefined;
    const arrived = new Promise<ServerResponse>((resolve) => (answer = resolve));
    const listening = await listen((_request, response) => answer?.(response), {
      host: '127.0.0.1',
      port: 0,
      origin: 'http://127.0.0.1',
      log: createLogger('test', 'silent'),
    });
    const dispatcher = new Agent({ keepAliveTimeout: 60_000 });
    const answered = request(listening.address, { dispatcher });
    const response = await arrived;
    const closed = listening.close();
    const finished = once(response, 'finish');
    response.end('done');
    await finished;
    const { body } = await answered;
    expect(await body.text()).to.equal('done');
    // Without an end of idle connections this waits for the keep-alive limit, beyond this test's.
    await closed;
    await dispatcher.close();
  });
});
