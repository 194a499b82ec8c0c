import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { connectedChannel } from '../../src/outbound/connection.js';

/** The sockets that posters of this process opened since {@link watchClientSockets}. */
export interface ClientSockets {
  /** The sockets to a port, oldest first. */
  to(port: number): readonly Socket[];
  /** All open sockets. */
  readonly open: readonly Socket[];
  /** Stops watching. */
  end(): void;
}

/** Watches the connections that posters open, from their handshake on. */
export function watchClientSockets(): ClientSockets {
  const sockets: { readonly port: string; readonly socket: Socket }[] = [];
  const note = (message: unknown) => {
    const { origin, socket } = message as { origin: string; socket: Socket };
    sockets.push({ port: new URL(origin).port, socket });
  };
  subscribe(connectedChannel.name, note);
  return {
    to: (port) => sockets.filter((each) => each.port === String(port)).map(({ socket }) => socket),
    get open() {
      return sockets.map(({ socket }) => socket).filter(({ destroyed }) => !destroyed);
    },
    end: () => void unsubscribe(connectedChannel.name, note),
  };
}
