import dns from 'node:dns';
import { Socket } from 'node:net';

type Callback = (...result: readonly unknown[]) => void;

/** Callers that wait for a lookup, by name and options. */
const waiting = new Map<string, Callback[]>();

/**
 * A socket that looks a name up together with all others. Each lookup takes one of four threads of the
 * process until it ends, even when its caller has given up. A name server that does not answer would
 * soon hold all of them.
 */
export class SharedLookupSocket extends Socket {
  override connect(...values: unknown[]): this {
    const [port, host] = values;
    if (typeof port !== 'number' || typeof host !== 'string')
      return super.connect(...(values as [number, string]));
    return super.connect({ port, host, lookup: sharedLookup as typeof dns.lookup });
  }
}

function sharedLookup(name: string, options: dns.LookupAllOptions, callback: Callback): void {
  const key = JSON.stringify([name, options]);
  const callbacks = waiting.get(key);
  if (callbacks) {
    callbacks.push(callback);
    return;
  }

  waiting.set(key, [callback]);

  const answer = (...result: readonly unknown[]) => {
    const all = waiting.get(key) ?? [];
    waiting.delete(key);
    for (const each of all) each(...result);
  };
  try {
    dns.lookup(name, options, answer);
  } catch (error) {
    // It throws for options that it does not know.
    answer(error);
  }
}
