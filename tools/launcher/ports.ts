import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** An address that a process is about to listen on. */
export interface ListenAddress {
  /** The setting that names it, for the message. */
  readonly setting: string;
  readonly host: string;
  readonly port: number;
}

/** Another program listens on an address of ours. */
class PortTaken extends Error {
  constructor({ setting, host, port }: ListenAddress) {
    super(
      `Another program listens on ${host}:${port}: stop it, or set ${setting} to another port.`,
    );
    this.name = 'PortTaken';
  }
}

/**
 * Waits until every address is free.
 * @param options `onWait` is called once, if it has to wait; `signal` ends the wait early
 * @throws PortTaken after `limitMs`; AbortError
 */
export async function awaitPorts(
  listeners: readonly ListenAddress[],
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

function isFree({ host, port }: Pick<ListenAddress, 'host' | 'port'>): Promise<boolean> {
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
const blockSize = 64;
const blocks = Math.floor((highest + 1 - lowest) / blockSize);

/** Ports of the claimed blocks that have not been handed out yet. */
const claimed: number[] = [];
let claiming: Promise<void> | undefined;

/**
 * Finds a port of 127.0.0.1 that is free now. No other process that calls this, and with the usual
 * settings of the system no outgoing connection, takes the port before its use.
 * @throws Error if there is none
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = claimed.shift();
    if (port === undefined) await (claiming ??= claimBlock().finally(() => (claiming = undefined)));
    else if (await isFree({ host: '127.0.0.1', port })) return port;
  }
}

/**
 * Claims ports that no other process claims while this one runs. The claim is a UDP socket on the first
 * of them, which leaves TCP free. The system closes it when the process ends.
 */
async function claimBlock(): Promise<void> {
  const start = randomInt(blocks);
  for (let tries = 0; tries < blocks; tries += 1) {
    const first = lowest + ((start + tries) % blocks) * blockSize;
    if (!(await claimPort(first))) continue;
    for (let port = first; port < first + blockSize; port += 1) claimed.push(port);
    return;
  }
  throw new Error(`No free port between ${lowest} and ${highest}.`);
}

/** Claims a port by its UDP socket; false if another process has claimed it. */
function claimPort(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const claim = createSocket('udp4').unref();
    claim.once('error', (error: NodeJS.ErrnoException) => {
      claim.close();
      if (error.code === 'EADDRINUSE') resolve(false);
      else reject(error);
    });
    claim.bind({ address: '127.0.0.1', port, exclusive: true }, () => resolve(true));
  });
}
