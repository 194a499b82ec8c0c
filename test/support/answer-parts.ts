/** What a part of an answer may be: what a receiver writes, and what only a hostile one does. */
export interface Part {
  readonly proper: readonly string[];
  readonly spoilt: readonly string[];
}

/** The parts of which answers are made that are good, or nearly so. */
export const answerParts = {
  before: { proper: [''], spoilt: ['\r\n', '\n', ' ', '\0', '\xef\xbb\xbf'] },
  version: {
    proper: ['HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0'],
    spoilt: [
      ...['HTTP/2.0', 'HTTP/1.2', 'HTTP/0.9', 'HTTP/11', 'http/1.1', 'HTTP/1.1.1', 'HTTP/1,1'],
      ...['ICE/1.0', 'RTSP/1.0'],
    ],
  },
  gap: { proper: [' '], spoilt: ['  ', '\t', '', '\xa0'] },
  finalStatus: {
    proper: ['200', '200', '200', '204', '304', '404', '503', '599', '205'],
    spoilt: ['', '99', '099', '0200', '+20', '20x', '2000', '1000', '101'],
  },
  informationalStatus: { proper: ['100', '102', '103', '199'], spoilt: ['101', '1', '1000'] },
  reason: {
    proper: [' OK', ' ', '', ' Not \xe4'],
    spoilt: ['  OK', '\tOK', 'OK', ' O\0K', ' O\x7fK', '\xa0'],
  },
  lineEnd: { proper: ['\r\n'], spoilt: ['\n', '\r', '\r\r\n', '\n\r', ' \r\n', '\r\n ', '\r\n\t'] },
  colon: { proper: [':'], spoilt: [' :', '', '::', '\t:', '\xa0:'] },
  space: {
    proper: ['', ' ', ' ', ' '],
    spoilt: ['\t', ' \t', '\xa0', '\x0b', '\x0c', '\x85', '\0', '\r', '\n', '\x1f', '\x7f'],
  },
  lengthName: {
    proper: ['content-length', 'Content-Length'],
    spoilt: ['content-length\0', 'content_length'],
  },
  spoiltLength: {
    proper: [''],
    spoilt: [
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
  codingName: { proper: ['transfer-encoding', 'Transfer-Encoding'], spoilt: ['transfer-coding'] },
  chunkedCoding: {
    proper: ['chunked', 'chunked', 'Chunked', 'gzip, chunked'],
    spoilt: [
      ...['', 'chunked,', ',chunked', 'chunked, gzip', 'chunked,chunked', 'xchunked', 'chunked x'],
      ...['chunked;a=b', '"chunked"', 'chun ked', 'identity', 'chunked\xa0', 'gzip,\xa0chunked'],
      ...['gzip,\tchunked', 'chunked\t,'],
    ],
  },
  connectionName: {
    proper: ['connection', 'Connection'],
    spoilt: ['proxy-connection', 'keep-alive', 'upgrade'],
  },
  option: {
    proper: ['close', 'keep-alive', 'Close', 'x', 'x, close', 'close ,x', 'keep-alive, close'],
    spoilt: [
      ...['', ',', 'close;', 'close x', '"close"', 'close\xa0', 'x,\xa0close', 'close,keep-alive'],
      ...['closed', 'upgrade', 'x,\tclose', 'close\t'],
    ],
  },
  otherName: {
    proper: ['date', 'x', 'retry-after', 'trailer'],
    spoilt: ['', 'a b', 'a\xe4', '"a"', '(a)', ' a'],
  },
  otherValue: {
    proper: ['', 'a', '5', 'a\xe4', 'a, b', 'a: b'],
    spoilt: ['a\0', 'a\x01', 'a\x7f', 'a\rb', 'a\nb'],
  },
  framing: {
    proper: [''],
    spoilt: [
      ...['content-length: 5\r\n', 'transfer-encoding: chunked\r\n', 'content-length: 0\r\n'],
      ...['transfer-encoding: gzip\r\n', 'content-length: 5\r\ncontent-length: 5\r\n'],
    ],
  },
  trailerName: {
    proper: ['date', 'x'],
    spoilt: ['content-length', 'transfer-encoding', 'connection'],
  },
  extension: {
    proper: ['', '', '', ';a', ';a=b', ';a="b c"', ';a="\\"";b=c', ';a="\xe4"'],
    spoilt: [
      ...[
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
      ],
      ...[';a\0', ';a="\x7f"', ';a="\0"', ';a="\\\x01"', ';a=b c', ';;', ';a;', ';a\r', ';a=\xe4'],
      ...['x', '\xa0', ';a="\\\x7f"', ';a="\\\xe4"'],
    ],
  },
  beforeSize: { proper: ['', '0'], spoilt: ['+', ' ', '-', '0x'] },
  spoiltSize: { proper: [''], spoilt: ['g', '2', 'f'] },
  content: { proper: ['x', 'hello', '\r\n', '0\r\n\r\n', 'a'.repeat(17)], spoilt: [''] },
  lastSize: { proper: ['0', '0', '00'], spoilt: [''] },
  plainBody: { proper: ['', 'abc', 'hello', 'hello world'], spoilt: ['\0'] },
  behind: {
    proper: [''],
    spoilt: ['\r\n', '\n', 'x', '\0', 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'],
  },
} as const satisfies Readonly<Record<string, Part>>;
