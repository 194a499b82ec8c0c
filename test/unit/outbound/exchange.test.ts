import { expect } from 'chai';
import {
  requestBytes,
  UnsendableHeaders,
  parseRetryAfter,
} from '../../../src/outbound/exchange.js';

const at = new Date(0);
const message = { origin: 'https://a.example:8443', path: '/in?x=1', at, account: '' };

describe('the bytes of a request', () => {
  it('a request is a head and the unchanged body, in one piece', () => {
    const body = Buffer.from([0, 255, 10, 13]);
    const bytes = requestBytes({ ...message, headers: { 'webhook-id': 'evt_1', x: '' }, body });
    const head = [
      'POST /in?x=1 HTTP/1.1',
      'Host: a.example:8443',
      'Connection: keep-alive',
      'webhook-id: evt_1',
      'x: ',
      'Content-Length: 4',
    ].join('\r\n');
    expect(bytes).to.deep.equal(Buffer.concat([Buffer.from(`${head}\r\n\r\n`), body]));
  });

  it('a request holds nothing that could begin another header or request', () => {
    const body = Buffer.alloc(0);

    for (const headers of [
      { x: 'a\r\nb: c' },
      { x: 'a\nb' },
      { x: 'a\rb' },
      { x: 'a\0b' },
      { x: 'ü…' },
      { 'x y': 'a' },
      { 'x:': 'a' },
      { '': 'a' },
      { 'x\r\ny': 'a' },
    ]) {
      expect(() => requestBytes({ ...message, headers, body }), JSON.stringify(headers)).to.throw(
        UnsendableHeaders,
      );
    }

    for (const path of ['/a b', '/a\r\nx: y', '/ü', '']) {
      expect(() => requestBytes({ ...message, path, headers: {}, body }), path).to.throw(
        UnsendableHeaders,
      );
    }
  });
});

describe('Retry-After', () => {
  const now = Date.parse('2026-11-21T12:00:00.000Z');
  const day = 24 * 3_600_000;
  const delayOf = (value: string) => parseRetryAfter(value, now)?.delayMs;

  it('H63: reads seconds of Retry-After as a delay', () => {
    expect(delayOf('0')).to.equal(0);
    expect(delayOf('7')).to.equal(7_000);
    expect(delayOf(' 120 ')).to.equal(120_000);
  });

  it('H63: reads a date of Retry-After as the time until then, in all three forms of HTTP', () => {
    expect(delayOf('Sat, 21 Nov 2026 12:01:30 GMT')).to.equal(90_000);
    expect(delayOf('Saturday, 21-Nov-26 12:01:30 GMT')).to.equal(90_000);
    expect(delayOf('Sat Nov 21 12:01:30 2026')).to.equal(90_000);
    expect(delayOf('Sat Nov  7 12:01:30 2027')).to.equal(day);
  });

  it('H63: counts a Retry-After of more than 24 hours as 24 hours', () => {
    expect(delayOf('86401')).to.equal(day);
    expect(delayOf('99999999')).to.equal(day);
    expect(delayOf('99999999999999999999')).to.equal(day);
    expect(delayOf('9'.repeat(30))).to.equal(day);
    expect(delayOf('9'.repeat(400))).to.equal(day);
    expect(delayOf('Sat, 21 Nov 2099 12:00:00 GMT')).to.equal(day);
  });

  it('H63: ignores a Retry-After that is neither, and one in the past', () => {
    for (const value of [
      '',
      '-1',
      '+5',
      '1.5',
      '1e3',
      '0x10',
      'soon',
      '5s',
      '5, 6',
      'NaN',
      'Infinity',
      '2026-11-22T12:00:00Z',
      'Sat, 21 Nov 2026 11:59:59 GMT',
      'Sat, 21 Nov 2026 13:00:00 CET',
      'Sat, 21 Nov 2026 99:99:99 GMT',
    ]) {
      expect(delayOf(value), value).to.equal(undefined);
    }
  });
});
