import { expect } from 'chai';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { freePort } from '../../../tools/launcher/ports.js';

describe('freePort', () => {
  it('finds a free port that no outgoing connection takes', async () => {
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
