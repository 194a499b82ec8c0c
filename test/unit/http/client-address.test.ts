import type { IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { clientAddress } from '../../../src/http/client-address.js';

const request = (forwarded?: string) =>
  ({
    socket: { remoteAddress: '10.0.0.1' },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  }) as unknown as IncomingMessage;

describe('the address of a client', () => {
  let problems: string[];
  const addressOf = (trusted: number) =>
    clientAddress(trusted, (problem) => void problems.push(problem));

  beforeEach(() => (problems = []));

  it('is that of the connection when no proxy is trusted', () => {
    expect(addressOf(0)(request('1.1.1.1'))).to.equal('10.0.0.1');
    expect(problems).to.deep.equal(['ignored']);
    expect(addressOf(0)(request())).to.equal('10.0.0.1');
    expect(problems).to.deep.equal(['ignored']);
  });

  it('is what the outermost trusted proxy saw; what stands before may be invented', () => {
    expect(addressOf(1)(request('9.9.9.9, 1.1.1.1'))).to.equal('1.1.1.1');
    expect(addressOf(2)(request('9.9.9.9, 1.1.1.1, 10.0.0.2'))).to.equal('1.1.1.1');
  });

  it('is the first known when fewer proxies were passed than are trusted', () => {
    expect(addressOf(3)(request('1.1.1.1'))).to.equal('1.1.1.1');
    expect(addressOf(1)(request())).to.equal('10.0.0.1');
    expect(problems).to.deep.equal([]);
  });

  const spellings = {
    '203.0.113.10:40000': '203.0.113.10',
    '[2001:db8::1]:50000': '2001:db8::1',
    '[2001:db8::1]': '2001:db8::1',
    '2001:db8::1': '2001:db8::1',
    '::ffff:203.0.113.10': '::ffff:203.0.113.10',
    '[::ffff:203.0.113.10]:1': '::ffff:203.0.113.10',
    'fe80::1%any-text': 'fe80::1',
    '[fe80::1%1.2.3.4]:50000': 'fe80::1',
  };
  for (const [entry, address] of Object.entries(spellings)) {
    it(`H260: is ${address} where a proxy writes ${entry}`, () => {
      expect(addressOf(1)(request(`9.9.9.9, ${entry}`))).to.equal(address);
      expect(problems).to.deep.equal([]);
    });
  }

  const texts = [
    'unknown',
    '_hidden',
    'proxy.example:443',
    '203.0.113.10:http',
    '203.0.113.256',
    '203.0.113.10:40000:1',
    '[203.0.113.10',
    '[]:80',
    '2001:db8::1:',
    '%eth0',
    '"203.0.113.10"',
    '<script>',
  ];
  for (const text of texts) {
    it(`H260: is that of the connection where a proxy writes ${text}`, () => {
      expect(addressOf(1)(request(`9.9.9.9, ${text}`))).to.equal('10.0.0.1');
      expect(problems).to.deep.equal(['invalid']);
    });
  }

  it('H260: is that of the connection where X-Forwarded-For is empty', () => {
    expect(addressOf(1)(request(' , '))).to.equal('10.0.0.1');
    expect(problems).to.deep.equal(['invalid']);
  });
});
