import { Agent, type AgentOptions, type IncomingMessage, request } from 'node:http';
import { Duplex } from 'node:stream';

/** What an HTTP client makes of a stream of bytes; places are numbers of the pieces they came in. */
export interface ParseResult {
  /** The final status and where its head was whole; undefined when no final head was accepted. */
  readonly status: number | undefined;
  readonly statusAt: number | undefined;
  /** Where the answer was whole; the number of pieces when the end of the stream made it so. */
  readonly endedAt: number | undefined;
  /** Whether the connection may carry another request. */
  readonly kept: boolean;
  /** Why the client gave the stream up. */
  readonly refusal: string | undefined;
}

/** The socket of a client: what is pushed arrives, what is written is gone. */
class FakeSocket extends Duplex {
  override _read(): void {
    return;
  }
  override _write(_chunk: Buffer, _encoding: string, written: () => void): void {
    written();
  }
}

/** Says whether a connection would have been kept, and keeps none. */
class ObservedAgent extends Agent {
  kept = false;
  constructor(readonly socket: Duplex) {
    super({ keepAlive: true } satisfies AgentOptions);
  }
  override createConnection(): Duplex {
    return this.socket;
  }
  override keepSocketAlive(): void {
    this.kept = true;
    this.socket.destroy();
  }
}

/** Two turns of the event loop: by then the client has heard of all that it was given. */
const finished = () =>
  new Promise<void>((resolve) => setImmediate(() => setImmediate(() => resolve())));

/** How Node's own client, whose parser is llhttp, reads an answer that arrives in these pieces. */
export async function parseWithNode(
  pieces: readonly Buffer[],
  endsConnection: boolean,
): Promise<ParseResult> {
  const socket = new FakeSocket();
  const agent = new ObservedAgent(socket);
  const received: { answer?: IncomingMessage; refusal?: string } = {};
  const clientRequest = request({
    agent,
    host: 'receiver.test',
    method: 'POST',
    insecureHTTPParser: false,
  });
  clientRequest.on('error', (error: NodeJS.ErrnoException) => {
    received.refusal ??= `${error.code}: ${error.message}`;
  });
  clientRequest.on('response', (answer) => {
    received.answer = answer.on('error', () => undefined).resume();
  });
  clientRequest.end();
  await finished();
  const places: { statusAt?: number; endedAt?: number } = {};
  for (const [at, piece] of [...pieces, ...(endsConnection ? [null] : [])].entries()) {
    // What is pushed is read at once; the end of a stream is heard of later.
    socket.push(piece);
    if (piece === null) await finished();
    if (received.answer) places.statusAt ??= at;
    if (received.answer?.complete) places.endedAt = at;
    if (received.refusal !== undefined || received.answer?.complete) break;
  }
  await finished();
  clientRequest.destroy();
  socket.destroy();
  return {
    status: received.answer?.statusCode,
    statusAt: places.statusAt,
    endedAt: places.endedAt,
    kept: agent.kept,
    refusal: received.refusal,
  };
}
