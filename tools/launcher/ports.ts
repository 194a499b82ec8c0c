import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** An address that a process is about to listen on. */
export interface Listener {
  /** The setting that names it, for the message. */
  readonly setting: string;
  readonly host: string;
  readonly port: number;
}

/** Another program listens where we must. */
class PortTaken extends Error {
  constructor({ setting, host, port }: Listener) {
    super(
      `${host}:${port} is taken by another program: stop it, or set ${setting} to another port.`,
    );
    this.name = 'PortTaken';
  }
}

/**
 * Waits until every address can be listened on.
 * @param options for how long, what to call when it begins to wait, and what ends it early
 * @throws PortTaken; AbortError
 */
export async function awaitPorts(
  listeners: readonly Listener[],
  options: { limitMs: number; onWait: () => void; signal: AbortSignal },
): Promise<void> {
  const end = performance.now() + options.limitMs;
  let waits = false;
  for (const listener of listeners) {
    while (!(await isFree(listener))) {
      if (performance.now() >= end) throw new PortTaken(listener);
      if (!waits) options.onWait();
      waits = true;
      await pause(100, undefined, { signal: options.signal });
    }
  }
}

function isFree({ host, port }: Pick<Listener, 'host' | 'port'>): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false);
      else reject(error);
    });
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(true)));
  });
}

/** Below what Linux gives to outgoing connections unless it is told otherwise, and RFC 6335 section 6 sets apart. */
const lowest = 20_000;
const highest = 32_767;
const maxTries = 100;

/**
 * A port of this host that was free a moment ago, and that outgoing connections are not given meanwhile
 * where the system's range for them is the usual one.
 * @throws Error when it finds none
 */
export async function freePort(): Promise<number> {
  for (let attempts = 0; attempts < maxTries; attempts += 1) {
    const port = randomInt(lowest, highest + 1);
    if (await isFree({ host: '127.0.0.1', port })) return port;
  }
  throw new Error(`none of ${maxTries} ports between ${lowest} and ${highest} is free`);
}
