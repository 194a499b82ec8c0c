/** The values of a part of a response: of an honest receiver, and of a hostile one. */
export interface Part {
  readonly wellFormed: readonly string[];
  readonly malformed: readonly string[];
}

/** The parts of valid and nearly valid responses. */
export const responseParts = {
  before: { wellFormed: [''], malformed: ['\r\n', '\n', ' ', '\0', '\xef\xbb\xbf'] },
  version: {
    wellFormed: ['HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0'],
    malformed: [
      ...['HTTP/2.0', 'HTTP/1.2', 'HTTP/0.9', 'HTTP/11', 'http/1.1', 'HTTP/1.1.1', 'HTTP/1,1'],
      ...['ICE/1.0', 'RTSP/1.0'],
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
      ...['', 'chunked,', ',chunked', 'chunked, gzip', 'chunked,chunked', 'xchunked', 'chunked x'],
      ...['chunked;a=b', '"chunked"', 'chun ked', 'identity', 'chunked\xa0', 'gzip,\xa0chunked'],
      ...['gzip,\tchunked', 'chunked\t,'],
    ],
  },
  connectionName: {
    wellFormed: ['connection', 'Connection'],
    malformed: ['proxy-connection', 'keep-alive', 'upgrade'],
  },
  option: {
    wellFormed: ['close', 'keep-alive', 'Close', 'x', 'x, close', 'close ,x', 'keep-alive, close'],
    malformed: [
      ...['', ',', 'close;', 'close x', '"close"', 'close\xa0', 'x,\xa0close', 'close,keep-alive'],
      ...['closed', 'upgrade', 'x,\tclose', 'close\t'],
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
      ...['content-length: 5\r\n', 'transfer-encoding: chunked\r\n', 'content-length: 0\r\n'],
      ...['transfer-encoding: gzip\r\n', 'content-length: 5\r\ncontent-length: 5\r\n'],
    ],
  },
  trailerName: {
    wellFormed: ['date', 'x'],
    malformed: ['content-length', 'transfer-encoding', 'connection'],
  },
  extension: {
    wellFormed: ['', '', '', ';a', ';a=b', ';a="b c"', ';a="\\"";b=c', ';a="\xe4"'],
    malformed: [
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
