import { listenOn, portOf, SocketPairs } from './socket-pairs.js';

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
  const pairs = new SocketPairs();
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
  const server = await listenOn(0, (client) => {
    const upstream = pairs.connect(client, port);
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
  });
  return {
    port: portOf(server),
    arm: (failpoint, kill) => void (armed = { failpoint, kill }),
    close: () => pairs.close(server),
  };
}
