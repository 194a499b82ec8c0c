import type { IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { clientAddress } from '../../../src/http/client-address.js';

const request = (forwarded?: string) =>
  ({
    socket: { remoteAddress: '10.0.0.1' },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  }) as unknown as IncomingMessage;

describe('the address of a client', () => {
  let ignored = 0;
  const addressOf = (trusted: number) => clientAddress(trusted, () => void (ignored += 1));
  beforeEach(() => (ignored = 0));

  it('is that of the connection when no proxy is trusted', () => {
    expect(addressOf(0)(request('1.1.1.1'))).to.equal('10.0.0.1');
    expect(ignored).to.equal(1);
    expect(addressOf(0)(request())).to.equal('10.0.0.1');
    expect(ignored).to.equal(1);
  });

  it('is what the outermost trusted proxy saw; what stands before may be invented', () => {
    expect(addressOf(1)(request('9.9.9.9, 1.1.1.1'))).to.equal('1.1.1.1');
    expect(addressOf(2)(request('9.9.9.9, 1.1.1.1, 10.0.0.2'))).to.equal('1.1.1.1');
  });

  it('is the first known when fewer proxies were passed than are trusted', () => {
    expect(addressOf(3)(request('1.1.1.1'))).to.equal('1.1.1.1');
    expect(addressOf(1)(request())).to.equal('10.0.0.1');
    expect(ignored).to.equal(0);
  });
});
