import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';
import { createServer, type TLSSocket } from 'node:tls';
import { testAuthority } from './authority.js';

/** A server on a free port of 127.0.0.1, with the protocol of its test. */
export interface Listener {
  readonly port: number;
  /** The number of TCP connections so far, and of open ones. */
  readonly connections: { readonly accepted: number; readonly open: number };
  close(): Promise<void>;
}

/** Starts a server, counts its connections, and ignores their errors. */
export async function listen(server: Server): Promise<Listener> {
  const open = new Set<Socket>();
  let accepted = 0;
  server.on('connection', (socket: Socket) => {
    accepted += 1;
    open.add(socket.on('error', () => undefined));
    socket.on('close', () => open.delete(socket));
  });

  server.on('secureConnection', (socket: Socket) => socket.on('error', () => undefined));
  server.on('tlsClientError', () => undefined);
  await once(server.listen(0, '127.0.0.1'), 'listening');

  return {
    port: (server.address() as AddressInfo).port,
    get connections() {
      return { accepted, open: open.size };
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}

/** Listens with a valid certificate; only `meet` reads and writes each connection. */
export async function listenSecurely(meet: (socket: TLSSocket) => unknown): Promise<Listener> {
  return listen(createServer(await (await testAuthority()).issue(), meet));
}
