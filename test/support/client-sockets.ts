import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

/** The sockets that posters of this process opened while somebody watched. */
export interface ClientSockets {
  /** Those that lead to a port, oldest first. */
  to(port: number): readonly Socket[];
  /** All that are not closed. */
  readonly open: readonly Socket[];
  /** Stops watching. */
  end(): void;
}

const connected = 'undici:client:connected';

/** Watches the connections that undici opens, from their handshake on. */
export function watchClientSockets(): ClientSockets {
  const sockets: { readonly port: string; readonly socket: Socket }[] = [];
  const note = (message: unknown) => {
    const { connectParams, socket } = message as {
      connectParams: { port: string };
      socket: Socket;
    };
    sockets.push({ port: connectParams.port, socket });
  };
  subscribe(connected, note);
  return {
    to: (port) => sockets.filter((each) => each.port === String(port)).map(({ socket }) => socket),
    get open() {
      return sockets.map(({ socket }) => socket).filter(({ destroyed }) => !destroyed);
    },
    end: () => void unsubscribe(connected, note),
  };
}
