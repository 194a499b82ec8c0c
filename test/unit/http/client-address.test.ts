import type { IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { clientAddress } from '../../../src/http/client-address.js';

const request = (forwarded?: string) =>
  ({
    socket: { remoteAddress: '10.0.0.1' },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  }) as unknown as IncomingMessage;

describe('the address of a client', () => {
  it('is that of the connection when no proxy is trusted', () => {
    expect(clientAddress(0)(request('1.1.1.1'))).to.equal('10.0.0.1');
  });

  it('is what the outermost trusted proxy saw; what stands before may be invented', () => {
    expect(clientAddress(1)(request('9.9.9.9, 1.1.1.1'))).to.equal('1.1.1.1');
    expect(clientAddress(2)(request('9.9.9.9, 1.1.1.1, 10.0.0.2'))).to.equal('1.1.1.1');
  });

  it('is the first known when fewer proxies were passed than are trusted', () => {
    expect(clientAddress(3)(request('1.1.1.1'))).to.equal('1.1.1.1');
    expect(clientAddress(1)(request())).to.equal('10.0.0.1');
  });
});
