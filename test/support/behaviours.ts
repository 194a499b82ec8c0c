import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

/** The action of a receiver after it has read one whole request. */
export type Behaviour = (request: IncomingMessage, response: ServerResponse) => unknown;

/** Sends a normal response. */
export function answer(
  status: number,
  headers: Record<string, string | string[]> = {},
  body: string | Buffer = '',
): Behaviour {
  return (_request, response) => response.writeHead(status, headers).end(body);
}

/** Waits, then runs `then`. */
export function after(delayMs: number, then: Behaviour): Behaviour {
  return async (request, response) => {
    await pause(delayMs, undefined, { ref: false });
    if (!request.socket.destroyed) await then(request, response);
  };
}

/** Returns a behaviour that responds 200 once the test releases it. */
export function gateway(): { readonly hold: Behaviour; readonly release: () => void } {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const hold: Behaviour = async (_request, response) => {
    await released;
    response.writeHead(200).end();
  };
  return { hold, release };
}

/** Never responds. */
export const hang: Behaviour = () => undefined;

/** Writes these bytes to the socket unchanged. */
export function raw(...chunks: readonly (string | Buffer)[]): Behaviour {
  return (request) => {
    for (const chunk of chunks) request.socket.write(chunk);
  };
}

/** Writes these bytes and closes the connection normally. */
export function rawThenEnd(text: string): Behaviour {
  return (request) => request.socket.end(text);
}

/** Writes these bytes and resets the connection. */
export function rawThenReset(text: string): Behaviour {
  return (request) => {
    const { socket } = request;
    if (text === '') reset(socket);
    else socket.write(text, () => setImmediate(() => reset(socket)));
  };
}

function reset(socket: IncomingMessage['socket']): void {
  // A TLS socket cannot reset; only the TCP socket below it can.
  const below = socket instanceof TLSSocket ? (socket as unknown as { _parent?: unknown }) : socket;
  const tcp = below as { _parent?: { resetAndDestroy?: () => void }; destroy?: () => void };
  if (tcp._parent?.resetAndDestroy) tcp._parent.resetAndDestroy();
  else socket.destroy();
}

/** Writes `head` at once, then one byte of `rest` every `everyMs` while the connection is open. */
export function drip(head: string, rest: string, everyMs: number): Behaviour {
  return async ({ socket }) => {
    socket.write(head);
    await dripBytes(socket, Buffer.from(rest), everyMs);
  };
}

/** Writes one byte every `everyMs` while the connection is open. */
export async function dripBytes(socket: Socket, bytes: Buffer, everyMs: number): Promise<void> {
  for (let at = 0; at < bytes.length; at += 1) {
    if (socket.destroyed) return;
    socket.write(bytes.subarray(at, at + 1));
    await pause(everyMs, undefined, { ref: false });
  }
}

/** Writes `head`, then the same chunk while the connection is open; calls `sent` for each chunk. */
export function flood(head: string, chunk: Buffer, sent?: (bytes: number) => void): Behaviour {
  return (request) => {
    const { socket } = request;
    const more = () => {
      do {
        if (socket.destroyed) return;
        sent?.(chunk.length);
      } while (socket.write(chunk));
      socket.once('drain', more);
    };
    socket.write(head);
    more();
  };
}

/** Sends a small gzip body that is `bytes` long when unpacked. */
export function gzipBomb(bytes: number): Behaviour {
  const body = gzipSync(Buffer.alloc(bytes));
  return answer(200, { 'content-encoding': 'gzip' }, body);
}
