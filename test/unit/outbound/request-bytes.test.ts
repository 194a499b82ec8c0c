import { expect } from 'chai';
import { requestBytes, UnsendableHeaders } from '../../../src/outbound/exchange.js';

const at = new Date(0);
const message = { origin: 'https://a.example:8443', path: '/in?x=1', at, account: '' };

describe('the bytes of a request', () => {
  it('are a head and the body as it is, in one piece', () => {
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

  it('hold nothing that could begin another header or request', () => {
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
