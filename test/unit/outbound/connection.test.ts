import { EventEmitter, once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { expect } from 'chai';
import { Connection, type ResponseHandler } from '../../../src/outbound/connection.js';
import { type Connect, connectionReset } from '../../../src/outbound/ssrf-guard.js';

/** What a connection does with its socket. */
class RecordingSocket extends EventEmitter {
  readonly written: string[] = [];
  readonly writableLength = 0;

  write(bytes: Buffer): boolean {
    this.written.push(bytes.toString());
    return true;
  }

  destroy(): this {
    return this;
  }
}

/** Two ends of a TCP connection: one reads what the other wrote when the event loop polls its sockets. */
async function socketPair(): Promise<{ near: Socket; far: Socket; close: () => void }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const near = connect(port, '127.0.0.1');
  const [far] = (await once(server, 'connection')) as [Socket];
  const close = () => [near.destroy(), far.destroy(), server.close()];
  return { near, far, close };
}

describe('a connection to a receiver', () => {
  it('is not used again when its end is seen with the next look at sockets', async () => {
    const sockets: RecordingSocket[] = [];
    let receive: (bytes: Buffer) => void = () => undefined;
    const open: Connect = (_to, received, done) => {
      const socket = new RecordingSocket();
      sockets.push(socket);
      receive = received;
      queueMicrotask(() => done({ socket: socket as unknown as TLSSocket, isTrusted: () => true }));
      return () => undefined;
    };

    const connection = new Connection('https://receiver.test', open, () => undefined);
    const second = new Promise<void>((sent, failed) => {
      const notReceived = { head: () => undefined, ended: () => undefined, failed };
      const next: ResponseHandler = { ...notReceived, sent };
      const first: ResponseHandler = {
        ...notReceived,
        sent: () => undefined,
        ended: () => connection.dispatch(Buffer.from('second'), next),
      };
      connection.dispatch(Buffer.from('first'), first);
    });

    const { near, far, close } = await socketPair();
    try {
      near.once('data', () => {
        // Before the connection's own, so that the end can be seen at the next look.
        setImmediate(() => far.write('end'));
        near.once('data', () => sockets[0]?.emit('error', connectionReset()));
        receive(Buffer.from('HTTP/1.1 204 No Content\r\n\r\n'));
      });

      far.write('answer');
      await second;
    } finally {
      close();
    }

    expect(sockets.map(({ written }) => written)).to.deep.equal([['first'], ['second']]);
  });
});
