import { expect } from 'chai';
import {
  ResponseParser,
  type Progress,
  MalformedResponse,
} from '../../../src/outbound/response-parser.js';
import { parseRetryAfter } from '../../../src/outbound/exchange.js';

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

const ok = 'HTTP/1.1 200 OK\r\n';
const empty = `${ok}content-length: 0\r\n\r\n`;
const chunked = `${ok}transfer-encoding: chunked\r\n\r\n`;
/** White space for `String.prototype.trim` and `\s`, but not for HTTP. */
const foreignSpaces = ['\xa0', '\x0b', '\x0c', '\x85', '\ufeff', '\u2003'];

describe('an answer is read strictly', () => {
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

  it('H115: a length or coding with a tab behind it, or with nothing, is refused', () => {
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

  it('H115: a line that does not end with CRLF is not waited for', () => {
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
});
