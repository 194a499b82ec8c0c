import { connect, createServer, type Socket } from 'node:net';

/** A moment in the traffic between a process and its server. */
export interface Failpoint {
  /** `request`: before the server gets it. `response`: after the server acted, before the process knows. */
  readonly when: 'request' | 'response';
  /** True at the moment; `before` has the earlier requests of the process on this connection. */
  readonly matches: (text: string, before: string) => boolean;
}

/** A proxy before a server that kills the process behind it once, at an exact moment. */
export interface FailpointProxy {
  readonly port: number;
  /** Waits for the moment, then drops the data and calls `kill`. */
  arm(failpoint: Failpoint, kill: () => void): void;
  close(): Promise<void>;
}

const maxRemembered = 100_000;

/** Opens a proxy before `port` of this machine. */
export async function createFailpointProxy(port: number): Promise<FailpointProxy> {
  const sockets = new Set<Socket>();
  let armed: { readonly failpoint: Failpoint; readonly kill: () => void } | undefined;
  const triggers = (when: Failpoint['when'], chunk: Buffer, before: string) => {
    if (
      armed?.failpoint.when !== when ||
      !armed.failpoint.matches(chunk.toString('latin1'), before)
    ) {
      return false;
    }
    const { kill } = armed;
    armed = undefined;
    kill();
    return true;
  };
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1');
    let sent = '';
    client.on('data', (chunk) => {
      if (triggers('request', chunk, sent)) client.destroy();
      else upstream.write(chunk);
      sent = (sent + chunk.toString('latin1')).slice(-maxRemembered);
    });
    upstream.on('data', (chunk) => {
      if (triggers('response', chunk, sent)) client.destroy();
      else client.write(chunk);
    });
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    arm: (failpoint, kill) => void (armed = { failpoint, kill }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
