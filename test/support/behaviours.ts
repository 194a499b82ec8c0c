import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

/** What a receiver does with one request after it has read it whole. */
export type Behaviour = (request: IncomingMessage, response: ServerResponse) => unknown;

/** Answers properly. */
export function answer(
  status: number,
  headers: Record<string, string | string[]> = {},
  body: string | Buffer = '',
): Behaviour {
  return (_request, response) => response.writeHead(status, headers).end(body);
}

/** Waits, then does something else. */
export function after(delayMs: number, then: Behaviour): Behaviour {
  return async (request, response) => {
    await pause(delayMs, undefined, { ref: false });
    if (!request.socket.destroyed) await then(request, response);
  };
}

/** Never answers. */
export const hang: Behaviour = () => undefined;

/** Writes these bytes to the socket as they are, whatever they mean. */
export function raw(...chunks: readonly (string | Buffer)[]): Behaviour {
  return (request) => {
    for (const chunk of chunks) request.socket.write(chunk);
  };
}

/** Writes these bytes and closes the connection in order. */
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
  // A TLS socket has no reset of its own; the TCP socket below it does.
  const below = socket instanceof TLSSocket ? (socket as unknown as { _parent?: unknown }) : socket;
  const tcp = below as { _parent?: { resetAndDestroy?: () => void }; destroy?: () => void };
  if (tcp._parent?.resetAndDestroy) tcp._parent.resetAndDestroy();
  else socket.destroy();
}

/** Writes `head` at once and then one byte of `rest` every `everyMs`, for as long as it may. */
export function drip(head: string, rest: string, everyMs: number): Behaviour {
  return async ({ socket }) => {
    socket.write(head);
    await dripBytes(socket, Buffer.from(rest), everyMs);
  };
}

/** Writes one byte every `everyMs`, for as long as it may. */
export async function dripBytes(socket: Socket, bytes: Buffer, everyMs: number): Promise<void> {
  for (let at = 0; at < bytes.length; at += 1) {
    if (socket.destroyed) return;
    socket.write(bytes.subarray(at, at + 1));
    await pause(everyMs, undefined, { ref: false });
  }
}

/** Writes `head` and then the same chunk for as long as it is taken; `sent` hears of each. */
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

/** A small gzip body that would be large unpacked. */
export function gzipBomb(bytes: number): Behaviour {
  const body = gzipSync(Buffer.alloc(bytes));
  return answer(200, { 'content-encoding': 'gzip' }, body);
}
