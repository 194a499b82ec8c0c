import { expect } from 'chai';
import fc from 'fast-check';
import {
  type ResponseHead,
  responseLimits,
  ResponseParser,
  type Progress,
  MalformedResponse,
} from '../../../src/outbound/response-parser.js';
import { parseRetryAfter } from '../../../src/outbound/exchange.js';

interface ParseResult {
  readonly heads: readonly ResponseHead[];
  readonly progress: Progress | 'broken';
  readonly idleMs: number | undefined;
  readonly endsWithConnection: boolean;
}

const ok = 'HTTP/1.1 200 OK\r\n';

describe('parsing a response', () => {
  const progressOf = (text: string) => read(text).progress;

  it('H64: reports status and Retry-After as soon as the head is complete', () => {
    expect(read(`${ok}a: b\r\n`).heads).to.deep.equal([]);
    expect(read(`${ok}content-length: 5\r\n\r\n`).heads).to.deep.equal([
      { status: 200, retryAfter: undefined },
    ]);
    expect(read('HTTP/1.1 503 \r\nRETRY-AFTER: \t 12 \r\nretry-after: 9\r\n\r\n').heads)
      .to.deep //
      .equal([{ status: 503, retryAfter: '12' }]);
    expect(read('HTTP/1.1 599\r\n\r\n').heads).to.deep.equal([
      { status: 599, retryAfter: undefined },
    ]);
  });

  it('a response ends with the bytes that its head announces, and says whether the connection is free', () => {
    for (const [text, progress] of [
      [`${ok}content-length: 0\r\n\r\n`, 'whole'],
      [`${ok}content-length: 3\r\n\r\nab`, 'more'],
      [`${ok}content-length: 3\r\n\r\nabc`, 'whole'],
      [`${ok}content-length: 3\r\nconnection: close\r\n\r\nabc`, 'last'],
      [`${ok}content-length: 3\r\nConnection: foo, CLOSE\r\n\r\nabc`, 'last'],
      [`${ok}connection: upgrade\r\ncontent-length: 3\r\n\r\nabc`, 'whole'],
      [`${ok}transfer-encoding: chunked\r\n\r\n0\r\n\r\n`, 'whole'],
      [`${ok}transfer-encoding: gzip, Chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n`, 'whole'],
      [`${ok}transfer-encoding: chunked\r\n\r\n1;a="b"\r\nx\r\n0\r\nt: u\r\n\r\n`, 'whole'],
      ['HTTP/1.0 200 OK\r\ncontent-length: 0\r\n\r\n', 'last'],
      ['HTTP/1.1 204 No\r\n\r\n', 'whole'],
      ['HTTP/1.1 304 No\r\n\r\n', 'whole'],
    ] as const) {
      expect(progressOf(text), text).to.equal(progress);
    }
  });

  it('does not wait for a body that a status forbids, nor reuse its connection', () => {
    for (const head of ['content-length: 5', 'transfer-encoding: chunked']) {
      for (const status of ['204 No', '304 No']) {
        expect(progressOf(`HTTP/1.1 ${status}\r\n${head}\r\n\r\n`)).to.equal('last');
      }
    }
    expect(progressOf('HTTP/1.1 204 No\r\ncontent-length: 0\r\n\r\n')).to.equal('whole');
  });

  it('a body without a length lasts until the connection ends', () => {
    for (const fields of ['', 'transfer-encoding: gzip\r\n', 'upgrade: h2c\r\n']) {
      const { progress, endsWithConnection } = read(`${ok}${fields}\r\nhello`);
      expect({ progress, endsWithConnection }).to.deep.equal({
        progress: 'more',
        endsWithConnection: true,
      });
    }
    expect(read(`${ok}content-length: 5\r\n\r\nab`).endsWithConnection).to.equal(false);
    expect(read(ok).endsWithConnection).to.equal(false);
  });

  it('bytes after a response end its connection', () => {
    for (const text of [
      `${ok}content-length: 2\r\n\r\nabc`,
      `${ok}transfer-encoding: chunked\r\n\r\n0\r\n\r\n${ok}`,
      `HTTP/1.1 204 No\r\n\r\n${ok}`,
    ]) {
      expect(progressOf(text), text).to.equal('last');
    }
  });

  it('1xx responses are followed by another head', () => {
    const hints = 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n';
    const { heads, progress } = read(
      `${hints}HTTP/1.1 100 Continue\r\n\r\n${ok}content-length: 0\r\n\r\n`,
    );
    expect(heads.map(({ status }) => status)).to.deep.equal([103, 100, 200]);
    expect(progress).to.equal('whole');
    expect(read(hints)).to.include({ progress: 'more', endsWithConnection: false });
  });

  it('ambiguous framing is an error', () => {
    for (const text of [
      'SSH-2.0-OpenSSH_9\r\n',
      'HTTP/2 200 OK\r\n\r\n',
      'HTTP/1.2 200 OK\r\n\r\n',
      'http/1.1 200 OK\r\n\r\n',
      'HTTP/1.1  200 OK\r\n\r\n',
      'HTTP/1.1 099 ?\r\n\r\n',
      'HTTP/1.1 2000 ?\r\n\r\n',
      'HTTP/1.1 20\r\n\r\n',
      'HTTP/1.1 200 O\0K\r\n\r\n',
      'HTTP/1.1 200 OK\n\r\n\r\n',
      'HTTP/1.1 101 Yes\r\nupgrade: x\r\n\r\n',
      `${ok}x: a\r\n b\r\n\r\n`,
      `${ok} x: a\r\n\r\n`,
      `${ok}x : a\r\n\r\n`,
      `${ok}: a\r\n\r\n`,
      `${ok}x\r\n\r\n`,
      `${ok}x: a\0b\r\n\r\n`,
      `${ok}x: a\nb: c\r\n\r\n`,
      `${ok}x: a\rb: c\r\n\r\n`,
      `${ok}content-length: 1\r\ncontent-length: 1\r\n\r\na`,
      `${ok}content-length: 1, 1\r\n\r\na`,
      `${ok}content-length: +1\r\n\r\na`,
      `${ok}content-length: -1\r\n\r\na`,
      `${ok}content-length: 0x1\r\n\r\na`,
      `${ok}content-length: \r\n\r\na`,
      `${ok}content-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
      `HTTP/1.1 204 No\r\ncontent-length: x\r\n\r\n`,
    ]) {
      const { progress, heads } = read(text);
      expect({ text, progress, heads }).to.deep.equal({ text, progress: 'broken', heads: [] });
    }
  });

  it('errors in the body do not change the reported head', () => {
    for (const body of ['zz\r\n', '1\nx\r\n', '1\r\nxy\r\n', '\r\n', '-1\r\n', '123456789\r\n']) {
      const { progress, heads } = read(`${ok}transfer-encoding: chunked\r\n\r\n${body}`);
      expect({ body, progress }).to.deep.equal({ body, progress: 'broken' });
      expect(heads).to.have.length(1);
    }
  });

  it('H65: reads heads, bodies, framing and all of it only up to its bounds', () => {
    const { head, body, all } = responseLimits;
    const field = (length: number) => `${ok}x: ${'y'.repeat(length - ok.length - 7)}\r\n\r\n`;
    expect(read(field(head)).heads).to.have.length(1);
    expect(progressOf(field(head + 1))).to.equal('broken');
    expect(progressOf(field(head + 1).slice(0, head))).to.equal('broken');

    const chunks = (size: number) => `${size.toString(16)}\r\n${'z'.repeat(size)}\r\n0\r\n\r\n`;

    for (const [size, progress] of [
      [body, 'whole'],
      [body + 1, 'broken'],
    ] as const) {
      const sized = `${ok}content-length: ${size}\r\n\r\n${'z'.repeat(size)}`;
      expect(progressOf(sized), `${size}`).to.equal(progress);
      const chunked = `${ok}transfer-encoding: chunked\r\n\r\n${chunks(size)}`;
      expect(progressOf(chunked), `${size} in chunks`).to.equal(progress);
    }

    expect(progressOf(`${ok}\r\n${'z'.repeat(body)}`)).to.equal('more');
    expect(progressOf(`${ok}\r\n${'z'.repeat(body + 1)}`)).to.equal('broken');

    const extensions = `1;${'e'.repeat(4_000)}\r\nx\r\n`.repeat(all / 4_000 + 1);
    expect(progressOf(`${ok}transfer-encoding: chunked\r\n\r\n${extensions}`)).to.equal('broken');

    const trailers = 'a: b\r\n'.repeat(all / 6);
    expect(progressOf(`${ok}transfer-encoding: chunked\r\n\r\n0\r\n${trailers}`)).to.equal(
      'broken',
    );
    expect(
      progressOf(`${ok}transfer-encoding: chunked\r\n\r\n0\r\nt: ${'t'.repeat(4_096)}`),
    ).to.equal('broken');
  });

  it('reports how long the receiver keeps the connection', () => {
    const idleMs = (fields: string) => read(`${ok}${fields}content-length: 0\r\n\r\n`).idleMs;
    expect(idleMs('')).to.equal(undefined);
    expect(idleMs('keep-alive: timeout=5, max=100\r\n')).to.equal(5_000);
    expect(idleMs(`keep-alive: timeout=${'9'.repeat(30)}\r\n`)).to.be.above(30_000);
    expect(idleMs('Keep-Alive: timeout=0\r\n')).to.equal(0);
    expect(idleMs('keep-alive: max=3\r\n')).to.equal(undefined);
    expect(idleMs('keep-alive: timeout=forever\r\n')).to.equal(undefined);
  });

  it('reads a response the same way in one piece or in many', () => {
    const answers = [
      `${ok}content-length: 3\r\n\r\nabc`,
      `HTTP/1.1 103 H\r\n\r\n${ok}transfer-encoding: chunked\r\n\r\n2\r\nab\r\n0\r\nt: u\r\n\r\n`,
      `HTTP/1.1 503 No\r\nretry-after: 7\r\nconnection: close\r\ncontent-length: 1\r\n\r\nx`,
      `${ok}transfer-encoding: chunked\r\n\r\n2\r\nabc\r\n`,
      `${ok}x: a\r\n b\r\n\r\n`,
      `${ok}\r\nuntil the end`,
    ];

    fc.assert(
      fc.property(
        fc.constantFrom(...answers),
        fc.array(fc.nat(120), { maxLength: 12 }),
        (text, cuts) => {
          const places = [0, ...cuts.filter((cut) => cut < text.length), text.length];
          places.sort((one, other) => one - other);
          const pieces = places.slice(1).map((place, index) => text.slice(places[index], place));
          expect(read(...pieces)).to.deep.equal(read(text));
        },
      ),
      { numRuns: 2_000 },
    );
  });

  /** What comes of an answer that arrives in these pieces; nothing is fed after its end. */
  function read(...pieces: readonly (string | Buffer)[]): ParseResult {
    const heads: ResponseHead[] = [];
    const parser = new ResponseParser((head) => heads.push(head));
    let progress: ParseResult['progress'] = 'more';
    try {
      for (const piece of pieces) {
        if (progress !== 'more') break;
        progress = parser.feed(typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece);
      }
    } catch (error) {
      expect(error).to.be.instanceOf(MalformedResponse);
      progress = 'broken';
    }

    const { idleMs, endsWithConnection } = parser;
    return { heads, progress, idleMs, endsWithConnection };
  }
});

const empty = `${ok}content-length: 0\r\n\r\n`;
const chunked = `${ok}transfer-encoding: chunked\r\n\r\n`;
/** White space for `String.prototype.trim` and `\s`, but not for HTTP. */
const foreignSpaces = ['\xa0', '\x0b', '\x0c', '\x85', '\ufeff', '\u2003'];

describe('strict reading of a response', () => {
  it('H115: white space around a value is SP and HTAB only', () => {
    for (const space of foreignSpaces.slice(0, 2).concat('\x85')) {
      for (const text of [
        `${ok}content-length: 5${space}\r\n\r\nhello`,
        `${ok}content-length:${space}5\r\n\r\nhello`,
      ]) {
        expect(read(text), JSON.stringify(text)).to.deep.equal({
          status: undefined,
          progress: 'broken',
        });
      }
    }

    expect(read(`${ok}content-length: \t 5 \r\n\r\nhello`).progress).to.equal('whole');

    // No coding that is known: its end is the end of the connection.
    expect(read(`${ok}transfer-encoding: chunked\xa0\r\n\r\n0\r\n\r\n`).progress).to.equal('more');

    for (const space of foreignSpaces) {
      expect(parseRetryAfter(`7${space}`, 0), JSON.stringify(space)).to.equal(undefined);
    }
  });

  it('H115: refuses a length or coding that a tab follows, or that is empty', () => {
    for (const field of [
      'content-length: 5\t',
      'transfer-encoding: chunked\t',
      'transfer-encoding: gzip,\tchunked',
      'transfer-encoding:',
      'transfer-encoding: \t',
      'content-length: \t',
    ]) {
      expect(read(`${ok}${field}\r\n\r\n`).progress, field).to.equal('broken');
    }
  });

  it('H115: the connection ends when any list of options says so', () => {
    for (const fields of [
      'connection: a,close ,b\r\n',
      'connection: keep-alive\r\nConnection: \tCLOSE\t\r\n',
      'connection: close\r\nconnection: keep-alive\r\n',
      'proxy-connection: close\r\n',
    ]) {
      expect(read(`${ok}${fields}content-length: 0\r\n\r\n`).progress, fields).to.equal('last');
    }

    for (const fields of [
      'connection: closed\r\n',
      'connection: "close"\r\n',
      'close: close\r\n',
    ]) {
      expect(read(`${ok}${fields}content-length: 0\r\n\r\n`).progress, fields).to.equal('whole');
    }
  });

  it('H115: an informational answer announces no body and is not the last one', () => {
    for (const head of [
      'HTTP/1.0 103 Early\r\n',
      'HTTP/1.1 103 Early\r\nconnection: close\r\n',
      'HTTP/1.1 103 Early\r\ncontent-length: 5\r\n',
      'HTTP/1.1 103 Early\r\ncontent-length: x\r\n',
      'HTTP/1.1 103 Early\r\ncontent-length: 0\r\ncontent-length: 0\r\n',
      'HTTP/1.1 103 Early\r\ntransfer-encoding: chunked\r\n',
    ]) {
      const expected = { status: undefined, progress: 'broken' };
      expect(read(`${head}\r\n${empty}`), head).to.deep.equal(expected);
    }
    expect(read(`HTTP/1.1 100 Go\r\ncontent-length: 0\r\n\r\n${empty}`).progress).to.equal('whole');
  });

  it('H115: the line of a chunk holds its size and proper extensions', () => {
    const progressOf = (line: string) => read(`${chunked}${line}\r\nhello\r\n0\r\n\r\n`).progress;

    for (const line of [
      '5',
      '005',
      '5;a',
      '5;a=b;c',
      '5;a="b; \\"\xe4\t"',
      `5;a=${'b'.repeat(4_000)}`,
    ]) {
      expect(progressOf(line), line.slice(0, 20)).to.equal('whole');
    }

    for (const line of [
      '5 ',
      '5\t',
      ' 5',
      '+5',
      '0x5',
      '5;',
      '5;;a',
      '5; a',
      '5;a =b',
      '5;a= b',
      '5;a=',
      '5;=b',
      '5;a="b',
      '5;a="b"c',
      '5;a=b c',
      '5;\xe4',
      '5;a=\xe4',
      '5;a="\0"',
      '5;a="\\\x01"',
      '5\r',
      `5;a=${'b'.repeat(4_100)}`,
    ]) {
      expect(progressOf(line), JSON.stringify(line.slice(0, 20))).to.equal('broken');
    }
  });

  it('H115: a trailer is a field, none that counts in a head, and all of them are short', () => {
    const progressOf = (trailers: string) => read(`${chunked}0\r\n${trailers}\r\n`).progress;

    for (const trailers of ['', 'a: b\r\n', 'a:\r\nb: \xe4\r\n', 'date: x\r\n'.repeat(300)]) {
      expect(progressOf(trailers), trailers.slice(0, 20)).to.equal('whole');
    }

    for (const trailers of [
      'a\r\n',
      ': a\r\n',
      'a b: c\r\n',
      'a : b\r\n',
      ' a: b\r\n',
      'a: b\r\n c\r\n',
      'a: \0\r\n',
      'a: b\rc\r\n',
      'a: b\n',
      'a: \x7f\r\n',
      'Content-Length: 5\r\n',
      'connection: close\r\n',
      'transfer-encoding: chunked\r\n',
      'a: bcdef\r\n'.repeat(420),
    ]) {
      expect(progressOf(trailers), JSON.stringify(trailers.slice(0, 20))).to.equal('broken');
    }
  });

  it('H115: refuses a line that does not end with CRLF without waiting for more', () => {
    for (const text of ['HTTP/1.1 200 OK\n', `${ok}a: b\n`, `${ok}a: b\rc`, `${ok}\r\r`]) {
      expect(read(text).progress, JSON.stringify(text)).to.equal('broken');
    }
    expect(read(`${ok}a: b\r`).progress).to.equal('more');
  });

  it('a value of nothing but spaces costs no more than its length', () => {
    const startedAt = performance.now();
    for (let times = 0; times < 50; times += 1) {
      read(`${ok}connection: ${' '.repeat(16_000)}x\r\ncontent-length: 0\r\n\r\n`);
    }
    // Quadratic it would be 50 times 128 million steps.
    expect(performance.now() - startedAt).to.be.below(5_000);
  });

  /** The final status of an answer that arrives at once, and how far it is. */
  function read(text: string): { status: number | undefined; progress: Progress | 'broken' } {
    let status: number | undefined;
    const parser = new ResponseParser((head) => {
      if (head.status >= 200) status = head.status;
    });
    try {
      return { progress: parser.feed(Buffer.from(text, 'latin1')), status };
    } catch (error) {
      expect(error).to.be.instanceOf(MalformedResponse);
      return { progress: 'broken', status };
    }
  }
});
