import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';
import { createServer, type TLSSocket } from 'node:tls';
import { testAuthority } from './authority.js';

/** A server on a free port of 127.0.0.1 that speaks whatever its test makes it speak. */
export interface Listener {
  readonly port: number;
  /** Connections that reached TCP so far, and those that are open. */
  readonly connections: { readonly accepted: number; readonly open: number };
  close(): Promise<void>;
}

/** Lets a server listen, counts its connections, and takes what they break off with for granted. */
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

/** Listens with a good certificate; `meet` has the connection to itself, and no one else reads it. */
export async function listenSecurely(meet: (socket: TLSSocket) => unknown): Promise<Listener> {
  return listen(createServer(await (await testAuthority()).issue(), meet));
}
