import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { expect } from 'chai';
import { Listener } from '../../../src/database/connection.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { through } from '../../support/queue-backends.js';

describe('the connection that listens', () => {
  let database: TestDatabase;
  let server: Server;
  const sockets = new Set<Socket>();
  let dropped = 0;

  /** Forwards everything but the first LISTEN, as a network that begins to drop packets just then. */
  before(async () => {
    database = await createTestDatabase();

    server = createServer((outer) => {
      const inner = connect(Number(new URL(database.url).port), '127.0.0.1');
      outer.on('data', (chunk) => {
        if (dropped === 0 && chunk.includes('LISTEN')) dropped += 1;
        else inner.write(chunk);
      });
      inner.pipe(outer);
      for (const socket of [outer, inner]) {
        sockets.add(socket);
        socket.on('error', () => undefined);
      }
    });

    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });

  after(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await database.drop();
  });

  it('is replaced when it gets no response to LISTEN', async () => {
    const { port } = server.address() as AddressInfo;
    let received = 0;
    const listener = new Listener({
      url: through({ port }, database.url),
      channels: { test_channel: () => (received += 1) },
      onError: () => undefined,
    });
    try {
      await eventually(async () => {
        await database.query(`select pg_notify('test_channel', '')`);
        expect(received).to.be.above(1);
      }, 'it hears notifications');
      expect(dropped).to.equal(1);
    } finally {
      await listener.close();
    }
  });
});
