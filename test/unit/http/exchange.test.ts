import { once } from 'node:events';
import { type IncomingMessage, createServer, get } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { Deadline, type Reply, send } from '../../../src/http/exchange.js';
import { ApiError } from '../../../src/http/problems.js';
import { standStill } from '../../support/eventually.js';

const request = (state: Partial<Body> = {}): Body => ({
  complete: true,
  readableFlowing: null,
  ...state,
});
type Body = Pick<IncomingMessage, 'complete' | 'readableFlowing'>;
const forever = () => new Promise<never>(() => undefined);
const refusalOf = async (work: Promise<void>) => {
  const thrown = await work.catch((error: unknown) => error);
  if (!(thrown instanceof ApiError)) throw new Error('it was not refused');
  return thrown;
};

describe('Deadline', () => {
  it('returns the result of work that ends in time', async () => {
    const deadline = new Deadline(request(), 5_000);
    await deadline.enforce(Promise.resolve());
    const thrown = new Error('of the work');
    const failed = await deadline.enforce(Promise.reject(thrown)).catch((error: unknown) => error);
    expect(failed).to.equal(thrown);
    expect(deadline.aborted).to.equal(false);
  });

  it('refuses work that takes longer with 503, and aborts it', async () => {
    const deadline = new Deadline(request(), 1);
    const { code, headers } = await refusalOf(deadline.enforce(forever()));
    expect(code).to.equal('service_unavailable');
    expect(headers).to.deep.equal({ 'Retry-After': '5' });
    expect(deadline.aborted).to.equal(true);
  });

  it('closes the connection when the rest of an unread body may follow', async () => {
    const deadline = new Deadline(request({ complete: false }), 1);
    const { code, headers } = await refusalOf(deadline.enforce(forever()));
    expect(code).to.equal('service_unavailable');
    expect(headers).to.include({ Connection: 'close' });
  });

  it('refuses with 408 a body that did not arrive in time', async () => {
    const slow = request({ complete: false, readableFlowing: true });
    const { code } = await refusalOf(new Deadline(slow, 1).enforce(forever()));
    expect(code).to.equal('request_timeout');
  });

  it('accepts work whose result arrived while the process stood still', async () => {
    const server = createTcpServer().listen(0, '127.0.0.1');
    await once(server, 'listening');

    const near = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const [far] = (await once(server, 'connection')) as [Socket];
    const limitMs = 3_000;
    try {
      const deadline = new Deadline(request(), limitMs);
      const work = deadline.enforce(once(near, 'data'));

      // From here the event loop goes on with its timers, and reads sockets only then.
      await turn();
      far.write('answer');
      standStill(limitMs + 100);
      await work;
      expect(deadline.aborted).to.equal(false);
    } finally {
      near.destroy();
      far.destroy();
      server.close();
    }
  });

  it('gives more time to work that asks for it, and never less', async () => {
    const deadline = new Deadline(request(), 1);
    const other = refusalOf(new Deadline(request(), 50).enforce(forever()));
    const enforce = deadline.enforce(other.then(() => undefined));
    deadline.extend(5_000);
    deadline.extend(1);
    await enforce;
    expect(deadline.aborted).to.equal(false);
  });

  it('causes no uncaught exception when the work fails later', async () => {
    let fail: (error: Error) => void = () => undefined;
    const work = new Promise<void>((_, reject) => (fail = reject));
    await refusalOf(new Deadline(request(), 1).enforce(work));
    fail(new Error('late'));
    await new Promise((resolve) => setImmediate(resolve));
  });
});

/** What a client gets of such a reply, and everything that it gets. */
async function received(reply: Reply, before: readonly (Reply['headers'] | undefined)[]) {
  const server = createServer((request, response) =>
    send(response, reply, before, request.method === 'HEAD'),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const [response] = (await once(get({ port, host: '127.0.0.1', agent: false }), 'response')) as [
    IncomingMessage,
  ];
  const text = Buffer.concat(await response.toArray()).toString();
  server.close();
  return { response, text };
}

describe('send', () => {
  it('sends each header once, and a header of the reply in place of an earlier one', async () => {
    const reply = { status: 200, headers: { Colour: 'red', Size: '4' }, text: 'täxt' };
    const before = [{ Colour: 'blue', Shape: 'round' }, undefined, { Shape: 'Colour' }];
    const { response, text } = await received(reply, before);
    expect(text).to.equal('täxt');

    expect(response.rawHeaders.slice(0, 8)).to.deep.equal([
      'Colour',
      'red',
      'Shape',
      'Colour',
      'Size',
      '4',
      'Content-Length',
      '5',
    ]);
  });

  it('sends no Content-Length without content', async () => {
    const { response, text } = await received({ status: 204, headers: {}, text: null }, []);
    expect([response.statusCode, text]).to.deep.equal([204, '']);
    expect(response.headers).not.to.have.property('content-length');
  });
});
