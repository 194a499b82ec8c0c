import { expect } from 'chai';
import { toParseApiError } from '../../../../src/http/server/listen.js';

const headerError = (packet: string, at = packet.indexOf('\0')) =>
  toParseApiError(
    Object.assign(new Error('parse error'), {
      code: 'HPE_INVALID_HEADER_TOKEN',
      rawPacket: Buffer.from(packet, 'latin1'),
      bytesParsed: at,
    }),
  ).code;

describe('toParseApiError', () => {
  it('blames the Idempotency-Key for a NUL in its line (H54)', () => {
    const rest = 'Host: a\r\n\r\n';
    expect(headerError(`GET / HTTP/1.1\r\nIdempotency-Key: a\0b\r\n${rest}`)).to.equal(
      'invalid_idempotency_key',
    );
    expect(headerError(`GET / HTTP/1.1\r\nidempotency-KEY:\0\r\n${rest}`)).to.equal(
      'invalid_idempotency_key',
    );
  });

  it('blames the request for a NUL or another byte elsewhere', () => {
    const other = 'GET / HTTP/1.1\r\nIdempotency-Key: ab\r\nX-Other: a\0b\r\n\r\n';
    expect(headerError(other)).to.equal('malformed_request');
    const control = 'GET / HTTP/1.1\r\nIdempotency-Key: a\x01b\r\n\r\n';
    expect(headerError(control, control.indexOf('\x01'))).to.equal('malformed_request');
    expect(headerError('a\0b', 1)).to.equal('malformed_request');
  });

  it('has separate statuses for requests that are too large and too slow', () => {
    const codes = {
      HPE_HEADER_OVERFLOW: 431,
      HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
      ERR_HTTP_REQUEST_TIMEOUT: 408,
      HPE_INVALID_METHOD: 400,
    };
    for (const [code, status] of Object.entries(codes)) {
      expect(toParseApiError(Object.assign(new Error(code), { code })).status).to.equal(status);
    }
    expect(toParseApiError(new Error('anything')).status).to.equal(400);
  });
});
