import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { connectedChannel } from '../../src/outbound/connection.js';

/** The connections through a proxy: that of each client and that to its server, which end together. */
export class SocketPairs {
  readonly #sockets = new Set<Socket>();

  /** The open sockets of both sides. */
  get open(): Iterable<Socket> {
    return this.#sockets;
  }

  /** Connects to `port` of this machine for a client. */
  connect(client: Socket, port: number): Socket {
    const upstream = connect(port, '127.0.0.1');
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      this.#sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        this.#sockets.delete(socket);
        other.destroy();
      });
    }

    return upstream;
  }

  /** Breaks every connection. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Closes the server of a proxy, and breaks every connection. */
  async close(server: Server): Promise<void> {
    const closed = new Promise((resolve) => server.close(resolve));
    this.cut();
    await closed;
  }
}

/** Listens on a port of this machine, 0 for any. */
export function listenOn(port: number, onConnection: (client: Socket) => void): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer(onConnection);
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}

/** Returns the port that a server listens on. */
export function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

/** The sockets that webhook clients of this process opened since {@link watchClientSockets}. */
export interface ClientSockets {
  /** Returns the sockets to a port, oldest first. */
  to(port: number): readonly Socket[];
  /** All open sockets. */
  readonly open: readonly Socket[];
  /** Stops watching. */
  end(): void;
}

/** Watches the connections that webhook clients open, from their handshake on. */
export function watchClientSockets(): ClientSockets {
  const sockets: { readonly port: string; readonly socket: Socket }[] = [];
  const note = (message: unknown) => {
    const { origin, socket } = message as { origin: string; socket: Socket };
    sockets.push({ port: new URL(origin).port, socket });
  };

  subscribe(connectedChannel.name, note);

  return {
    to: (port) =>
      sockets.filter((opened) => opened.port === String(port)).map(({ socket }) => socket),
    get open() {
      return sockets.map(({ socket }) => socket).filter(({ destroyed }) => !destroyed);
    },
    end: () => void unsubscribe(connectedChannel.name, note),
  };
}
