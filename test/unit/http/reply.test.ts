import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { Reply } from '../../../src/api/replies.js';
import { send } from '../../../src/http/reply.js';

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

describe('a reply', () => {
  it('has each header once: its own, and those that come before under another name', async () => {
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

  it('without content has no length', async () => {
    const { response, text } = await received({ status: 204, headers: {}, text: null }, []);
    expect([response.statusCode, text]).to.deep.equal([204, '']);
    expect(response.headers).not.to.have.property('content-length');
  });
});
