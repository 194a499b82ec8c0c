import { expect } from 'chai';
import * as fc from 'fast-check';
import { ResponseParser, type Progress } from '../../src/outbound/response-parser.js';
import { FaultInjection } from '../support/fault-injection.js';
import { seededRandom } from '../support/random.js';
import { Agent, type AgentOptions, type IncomingMessage, request } from 'node:http';
import { Duplex } from 'node:stream';

/** Each injection has the next seed: `SEED=42 npm test -- mutated-responses` repeats a whole run. */
const streamsPerInjection = 1_000;

/** How our parser reads a stream. */
function parseWithOurs({ pieces, endsConnection }: ResponseStream): ParseResult {
  let status: number | undefined;
  let statusAt: number | undefined;
  let endedAt: number | undefined;
  let refusal: string | undefined;
  let at = 0;
  let progress: Progress = 'more';
  const parser = new ResponseParser((head) => {
    if (head.status < 200) return;
    status = head.status;
    statusAt = at;
  });
  try {
    for (const [place, piece] of pieces.entries()) {
      if (progress !== 'more') break;
      at = place;
      progress = parser.feed(piece);
    }
    if (progress !== 'more') endedAt = at;
    else if (endsConnection && parser.endsWithConnection) endedAt = pieces.length;
  } catch (error) {
    refusal = (error as Error).message;
  }

  return { status, statusAt, endedAt, kept: progress === 'whole', refusal };
}

/** What we accept of a stream that Node's client refuses or reads otherwise. */
function looser(ours: ParseResult, node: ParseResult): string[] {
  const differences: string[] = [];
  if (ours.status !== undefined && ours.status !== node.status) differences.push('another status');
  if (ours.status !== undefined && ours.statusAt !== node.statusAt)
    differences.push('another head');
  if (ours.endedAt !== undefined && ours.endedAt !== node.endedAt) differences.push('another end');
  if (ours.kept && !node.kept) differences.push('a connection kept');
  const waits = ours.endedAt === undefined && ours.refusal === undefined;
  if (waits && node.endedAt !== undefined) differences.push('no end');
  return differences;
}

/** What we refuse of a proper answer; HTTP/1.0 and bodies that a status forbids end our connections. */
function stricter(ours: ParseResult, node: ParseResult, text: string): string[] {
  const differences: string[] = [];
  if (ours.status !== node.status) differences.push('no status');
  if (ours.endedAt !== node.endedAt) differences.push('no end');
  const single = text.includes('HTTP/1.0') || ours.status === 204 || ours.status === 304;
  if (node.kept && !ours.kept && !single) differences.push('no connection kept');
  return differences;
}

/** Compares both clients; `blame` says what is wrong. */
function compared(
  streams: fc.Arbitrary<ResponseStream>,
  blame: (ours: ParseResult, node: ParseResult, text: string) => string[],
) {
  const met = { streams: 0, ended: 0, kept: 0 };
  const property = fc.asyncProperty(streams, async (stream) => {
    const text = Buffer.concat(stream.pieces).toString('latin1');
    const ours = parseWithOurs(stream);
    const node = await parseWithNode(stream.pieces, stream.endsConnection);
    const differences = blame(ours, node, text);
    if (differences.length > 0)
      throw new Error(JSON.stringify({ found: differences, text, ours, node }));
    met.streams += 1;
    if (ours.endedAt !== undefined) met.ended += 1;
    if (ours.kept) met.kept += 1;
  });
  return { met, property };
}

describe('an answer, read by us and by llhttp', function () {
  const injection = new FaultInjection('mutated answers');
  const { seed } = seededRandom();

  this.timeout(injection.limitMs);

  it(`H65, H115: reads mutated bytes no more loosely than Node's client does (seed ${seed})`, async () => {
    const { met, property } = compared(mutatedResponses, looser);
    await injection.repeat((injected) =>
      fc.assert(property, { numRuns: streamsPerInjection, seed: seed + injected }),
    );
    process.stdout.write(`      ${JSON.stringify(met)} seed=${seed}\n`);
    // Streams that are all refused would show nothing.
    expect(met.ended).to.be.above(met.streams / 5);
    expect(met.kept).to.be.above(met.streams / 50);
  });

  it(`H65, H115: reads the answer of an honest receiver as Node's client does (seed ${seed})`, async () => {
    const { met, property } = compared(validResponses, (ours, node, text) => [
      ...looser(ours, node),
      ...stricter(ours, node, text),
    ]);
    await fc.assert(property, { numRuns: 2 * streamsPerInjection, seed });
    expect(met.kept).to.be.above(met.streams / 10);
  });
});

/** How an HTTP client parses a stream of bytes. Positions are indexes of the pieces. */
interface ParseResult {
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
async function parseWithNode(
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

/** The bytes of a response in pieces, and whether the connection ends after them. */
interface ResponseStream {
  readonly pieces: readonly Buffer[];
  readonly endsConnection: boolean;
}

type Text = fc.Arbitrary<string>;

/** A mutation: position, number of removed bytes, inserted bytes. */
type Mutation = readonly [number, number, string];

const joined = (...parts: readonly Text[]): Text => fc.tuple(...parts).map((all) => all.join(''));

const several = (part: Text, maxLength: number): Text =>
  fc.array(part, { maxLength }).map((all) => all.join(''));

const nothing = fc.constant('');

/** Texts of HTTP responses; most parts of a malformed one are well formed. */
function responseTexts(malformed: boolean): Text {
  const some = (part: Part): Text => {
    const wellFormed = fc.constantFrom(...part.wellFormed);
    if (!malformed) return wellFormed;
    const other = fc.constantFrom(...part.malformed);
    return fc.oneof({ weight: 30, arbitrary: wellFormed }, { weight: 1, arbitrary: other });
  };

  const { lineEnd, colon, space, statusSeparator, ...parts } = responseParts;
  const field = (name: Part, value: Text): Text =>
    joined(...[name, colon, space].map(some), value, ...[space, lineEnd].map(some));
  const connection = field(parts.connectionName, some(parts.option));
  const other = field(parts.otherName, some(parts.otherValue));
  const statusLine = (status: Part): Text =>
    joined(...[parts.version, statusSeparator, status, parts.reason, lineEnd].map(some));
  const informational = joined(
    malformed ? statusLine(parts.informationalStatus) : fc.constant('HTTP/1.1 103 Early Hints\r\n'),
    malformed ? fc.oneof(nothing, other, connection, some(parts.framing)) : other,
    some(lineEnd),
  );

  const chunk = fc
    .tuple(some(parts.content), some(parts.malformedSize))
    .chain(([content, wrong]) => {
      const size = fc.constantFrom(content.length.toString(16) + wrong);
      const framing = joined(some(parts.beforeSize), size, some(parts.extension), some(lineEnd));
      return joined(framing, fc.constant(content), some(lineEnd));
    });

  const trailers = several(field(parts.trailerName, some(parts.otherValue)), 2);
  const chunked = joined(
    several(chunk, 2),
    ...[parts.lastSize, parts.extension, lineEnd].map(some),
    fc.oneof(nothing, trailers),
    some(lineEnd),
  );

  const plain = some(parts.plainBody);
  const length = (text: string) => {
    const right = fc.constantFrom(`${text.length}`, `0${text.length}`);
    return field(
      parts.lengthName,
      joined(malformed ? some(parts.malformedLength) : nothing, right),
    );
  };

  /** Framing fields and the body. */
  const framed = fc.oneof(
    plain.chain((text) => fc.tuple(length(text), fc.constant(text))),
    fc.tuple(field(parts.transferEncodingName, some(parts.chunkedEncoding)), chunked),
    fc.tuple(fc.oneof(nothing, field(parts.transferEncodingName, fc.constant('gzip'))), plain),
  );

  const others = fc.array(fc.oneof(other, other, connection), { maxLength: 3 });
  return fc
    .tuple(
      joined(some(parts.before), fc.oneof(nothing, nothing, several(informational, 2))),
      statusLine(parts.finalStatus),
      fc.tuple(others, some(parts.framing), some(lineEnd)),
      framed,
      some(parts.behind),
    )
    .map(([before, line, [[first = '', ...more], again, end], [framing, body], behind]) =>
      [before, line, first, framing, ...more, again, end, body, behind].join(''),
    );
}

const hostile = [
  '',
  '\r',
  '\n',
  '\r\n',
  ' ',
  '\t',
  '\xa0',
  '\0',
  ':',
  ',',
  ';',
  '=',
  '"',
  '0',
  'c',
];

const change: fc.Arbitrary<Mutation> = fc.tuple(
  fc.nat(400),
  fc.nat(1),
  fc.oneof(
    fc.constantFrom(...hostile),
    fc.nat(255).map((byte) => String.fromCharCode(byte)),
  ),
);

function changed(text: string, changes: readonly Mutation[]): string {
  return changes.reduce((before, [place, removed, inserted]) => {
    const at = place % (before.length + 1);
    return before.slice(0, at) + inserted + before.slice(at + removed);
  }, text);
}

function cutAt(text: string, places: readonly number[] | 'everywhere'): Buffer[] {
  const bytes = Buffer.from(text, 'latin1');
  const cuts =
    places === 'everywhere' ? [...bytes.keys()] : places.map((place) => place % (bytes.length + 1));
  const ends = [...new Set([...cuts, bytes.length])].filter((end) => end > 0);
  ends.sort((one, other) => one - other);
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
}

function streams(texts: Text, changes: fc.Arbitrary<readonly Mutation[]>) {
  const cuts = fc.oneof(
    fc.constant([]),
    fc.constant('everywhere' as const),
    fc.array(fc.nat(400), { maxLength: 4 }),
  );
  return fc
    .tuple(texts, changes, cuts, fc.boolean())
    .map(([text, bytes, places, endsConnection]) => ({
      pieces: cutAt(changed(text, bytes), places),
      endsConnection,
    }));
}

/** The parts of valid and nearly valid responses. */
const responseParts = {
  before: { wellFormed: [''], malformed: ['\r\n', '\n', ' ', '\0', '\xef\xbb\xbf'] },
  version: {
    wellFormed: ['HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0'],
    malformed: [
      'HTTP/2.0',
      'HTTP/1.2',
      'HTTP/0.9',
      'HTTP/11',
      'http/1.1',
      'HTTP/1.1.1',
      'HTTP/1,1',
      'ICE/1.0',
      'RTSP/1.0',
    ],
  },
  statusSeparator: { wellFormed: [' '], malformed: ['  ', '\t', '', '\xa0'] },
  finalStatus: {
    wellFormed: ['200', '200', '200', '204', '304', '404', '503', '599', '205'],
    malformed: ['', '99', '099', '0200', '+20', '20x', '2000', '1000', '101'],
  },
  informationalStatus: {
    wellFormed: ['100', '102', '103', '199'],
    malformed: ['101', '1', '1000'],
  },
  reason: {
    wellFormed: [' OK', ' ', '', ' Not \xe4'],
    malformed: ['  OK', '\tOK', 'OK', ' O\0K', ' O\x7fK', '\xa0'],
  },
  lineEnd: {
    wellFormed: ['\r\n'],
    malformed: ['\n', '\r', '\r\r\n', '\n\r', ' \r\n', '\r\n ', '\r\n\t'],
  },
  colon: { wellFormed: [':'], malformed: [' :', '', '::', '\t:', '\xa0:'] },
  space: {
    wellFormed: ['', ' ', ' ', ' '],
    malformed: ['\t', ' \t', '\xa0', '\x0b', '\x0c', '\x85', '\0', '\r', '\n', '\x1f', '\x7f'],
  },
  lengthName: {
    wellFormed: ['content-length', 'Content-Length'],
    malformed: ['content-length\0', 'content_length'],
  },
  malformedLength: {
    wellFormed: [''],
    malformed: [
      '+',
      '-',
      '5,',
      '5, ',
      '0x',
      '5 ',
      '1e',
      '1'.repeat(20),
      '\xb2',
      '5\t',
      '5\xa0',
      '\xa0',
    ],
  },
  transferEncodingName: {
    wellFormed: ['transfer-encoding', 'Transfer-Encoding'],
    malformed: ['transfer-coding'],
  },
  chunkedEncoding: {
    wellFormed: ['chunked', 'chunked', 'Chunked', 'gzip, chunked'],
    malformed: [
      '',
      'chunked,',
      ',chunked',
      'chunked, gzip',
      'chunked,chunked',
      'xchunked',
      'chunked x',
      'chunked;a=b',
      '"chunked"',
      'chun ked',
      'identity',
      'chunked\xa0',
      'gzip,\xa0chunked',
      'gzip,\tchunked',
      'chunked\t,',
    ],
  },
  connectionName: {
    wellFormed: ['connection', 'Connection'],
    malformed: ['proxy-connection', 'keep-alive', 'upgrade'],
  },
  option: {
    wellFormed: ['close', 'keep-alive', 'Close', 'x', 'x, close', 'close ,x', 'keep-alive, close'],
    malformed: [
      '',
      ',',
      'close;',
      'close x',
      '"close"',
      'close\xa0',
      'x,\xa0close',
      'close,keep-alive',
      'closed',
      'upgrade',
      'x,\tclose',
      'close\t',
    ],
  },
  otherName: {
    wellFormed: ['date', 'x', 'retry-after', 'trailer'],
    malformed: ['', 'a b', 'a\xe4', '"a"', '(a)', ' a'],
  },
  otherValue: {
    wellFormed: ['', 'a', '5', 'a\xe4', 'a, b', 'a: b'],
    malformed: ['a\0', 'a\x01', 'a\x7f', 'a\rb', 'a\nb'],
  },
  framing: {
    wellFormed: [''],
    malformed: [
      'content-length: 5\r\n',
      'transfer-encoding: chunked\r\n',
      'content-length: 0\r\n',
      'transfer-encoding: gzip\r\n',
      'content-length: 5\r\ncontent-length: 5\r\n',
    ],
  },
  trailerName: {
    wellFormed: ['date', 'x'],
    malformed: ['content-length', 'transfer-encoding', 'connection'],
  },
  extension: {
    wellFormed: ['', '', '', ';a', ';a=b', ';a="b c"', ';a="\\"";b=c', ';a="\xe4"'],
    malformed: [
      ' ',
      '\t',
      ';',
      ' ;a',
      '; a',
      ';a =b',
      ';a= b',
      ';a=',
      ';=b',
      ';a="b',
      ';a="b"c',
      ';\xe4',
      ';a\0',
      ';a="\x7f"',
      ';a="\0"',
      ';a="\\\x01"',
      ';a=b c',
      ';;',
      ';a;',
      ';a\r',
      ';a=\xe4',
      'x',
      '\xa0',
      ';a="\\\x7f"',
      ';a="\\\xe4"',
    ],
  },
  beforeSize: { wellFormed: ['', '0'], malformed: ['+', ' ', '-', '0x'] },
  malformedSize: { wellFormed: [''], malformed: ['g', '2', 'f'] },
  content: { wellFormed: ['x', 'hello', '\r\n', '0\r\n\r\n', 'a'.repeat(17)], malformed: [''] },
  lastSize: { wellFormed: ['0', '0', '00'], malformed: [''] },
  plainBody: { wellFormed: ['', 'abc', 'hello', 'hello world'], malformed: ['\0'] },
  behind: {
    wellFormed: [''],
    malformed: ['\r\n', '\n', 'x', '\0', 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'],
  },
} as const satisfies Readonly<Record<string, Part>>;

/** Responses of honest receivers, whole and in pieces; bodies may be too short or too long. */
const validResponses: fc.Arbitrary<ResponseStream> = streams(responseTexts(false), fc.constant([]));

/** Responses with malformed parts or mutated bytes, or without any. */
const mutatedResponses: fc.Arbitrary<ResponseStream> = streams(
  responseTexts(true),
  fc.oneof(fc.constant([]), fc.constant([]), fc.array(change, { minLength: 1, maxLength: 2 })),
);

/** The values of a part of a response: of an honest receiver, and of a hostile one. */
interface Part {
  readonly wellFormed: readonly string[];
  readonly malformed: readonly string[];
}
