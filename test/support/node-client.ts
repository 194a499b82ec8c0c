import { Agent, type AgentOptions, type IncomingMessage, request } from 'node:http';
import { Duplex } from 'node:stream';

/** How an HTTP client parses a stream of bytes. Positions are indexes of the pieces. */
export interface ParseResult {
  /** The final status and the position where its head was complete; undefined without a final head. */
  readonly status: number | undefined;
  readonly statusAt: number | undefined;
  /** The position where the response was complete; the number of pieces if the stream's end did it. */
  readonly endedAt: number | undefined;
  /** True when the connection can carry another request. */
  readonly kept: boolean;
  /** The reason why the client rejected the stream. */
  readonly refusal: string | undefined;
}

/** The socket of a client: pushed bytes arrive, written bytes are dropped. */
class FakeSocket extends Duplex {
  override _read(): void {
    return;
  }
  override _write(_chunk: Buffer, _encoding: string, written: () => void): void {
    written();
  }
}

/** Records whether a connection would be kept alive; keeps none. */
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

/** Two turns of the event loop, after which the client has processed all its input. */
const finished = () =>
  new Promise<void>((resolve) => setImmediate(() => setImmediate(() => resolve())));

/** Parses a response that arrives in these pieces with Node's own client, whose parser is llhttp. */
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
    // Pushed bytes are read at once; the end of a stream is emitted later.
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
