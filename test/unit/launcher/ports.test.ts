import { expect } from 'chai';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { freePort } from '../../../tools/launcher/ports.js';

describe('freePort', () => {
  it('names a port that can be listened on and that outgoing connections are not given', async () => {
    for (let turn = 0; turn < 20; turn += 1) {
      const port = await freePort();
      expect(port).to.be.within(20_000, 32_767);
      const server = createServer().listen(port, '127.0.0.1');
      await once(server, 'listening');
      server.close();
      await once(server, 'close');
    }
  });
});
