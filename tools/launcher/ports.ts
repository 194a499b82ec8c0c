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

/** Another program listens on an address of ours. */
class PortTaken extends Error {
  constructor({ setting, host, port }: Listener) {
    super(
      `Another program listens on ${host}:${port}: stop it, or set ${setting} to another port.`,
    );
    this.name = 'PortTaken';
  }
}

/**
 * Waits until every address is free.
 * @param options `onWait` is called once, when it has to wait; `signal` ends the wait early
 * @throws PortTaken after `limitMs`; AbortError
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

/**
 * Below the default range of outgoing connections of Linux (from 32,768) and the dynamic ports of
 * RFC 6335 section 6 (from 49,152).
 */
const lowest = 20_000;
const highest = 32_767;
const maxTries = 100;

// One after the other, from a place of its own in each process: a port that was given is not given
// again while it is not in use yet, and hardly by another process.
let next = randomInt(lowest, highest + 1);

/**
 * Finds a port of 127.0.0.1 that is free at this moment. With the usual settings of the system, no
 * outgoing connection takes it before its use.
 * @throws Error when it finds none
 */
export async function freePort(): Promise<number> {
  for (let attempts = 0; attempts < maxTries; attempts += 1) {
    const port = next;
    next = next === highest ? lowest : next + 1;
    if (await isFree({ host: '127.0.0.1', port })) return port;
  }
  throw new Error(`Tried ${maxTries} ports between ${lowest} and ${highest}; none is free.`);
}
