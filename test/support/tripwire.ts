import { connect, createServer, type Socket } from 'node:net';

/** A moment in what a process and its server say to each other. */
export interface Moment {
  /** `asks`: before the server hears it. `hears`: after the server did it, before the process knows. */
  readonly when: 'asks' | 'hears';
  /** Whether this is the moment; `before` is what the process has asked on this connection so far. */
  readonly fits: (text: string, before: string) => boolean;
}

/** A relay before a server that ends the process behind it at an exact moment, once. */
export interface Tripwire {
  readonly port: number;
  /** Waits for the moment; what was about to pass does not, and `strike` is called. */
  arm(moment: Moment, strike: () => void): void;
  close(): Promise<void>;
}

const remembered = 100_000;

/** Opens a tripwire before `port` of this machine. */
export async function createTripwire(port: number): Promise<Tripwire> {
  const sockets = new Set<Socket>();
  let armed: { readonly moment: Moment; readonly strike: () => void } | undefined;
  const trips = (when: Moment['when'], chunk: Buffer, before: string) => {
    if (armed?.moment.when !== when || !armed.moment.fits(chunk.toString('latin1'), before)) {
      return false;
    }
    const { strike } = armed;
    armed = undefined;
    strike();
    return true;
  };
  const server = createServer((process) => {
    const inner = connect(port, '127.0.0.1');
    let asked = '';
    process.on('data', (chunk) => {
      if (trips('asks', chunk, asked)) process.destroy();
      else inner.write(chunk);
      asked = (asked + chunk.toString('latin1')).slice(-remembered);
    });
    inner.on('data', (chunk) => {
      if (trips('hears', chunk, asked)) process.destroy();
      else process.write(chunk);
    });
    for (const [socket, other] of [
      [process, inner],
      [inner, process],
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
    arm: (moment, strike) => void (armed = { moment, strike }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
