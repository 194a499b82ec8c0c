import type { IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { clientAddress, networksOf, subnetOf } from '../../../src/http/client-address.js';

const request = (forwarded?: string) =>
  ({
    socket: { remoteAddress: '10.0.0.1' },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  }) as unknown as IncomingMessage;

describe('clientAddress', () => {
  let problems: string[];
  const addressOf = (trusted: number) =>
    clientAddress(trusted, (problem) => void problems.push(problem));

  beforeEach(() => (problems = []));

  it('returns the address of the connection when no proxy is trusted', () => {
    expect(addressOf(0)(request('1.1.1.1'))).to.equal('10.0.0.1');
    expect(problems).to.deep.equal(['ignored']);
    expect(addressOf(0)(request())).to.equal('10.0.0.1');
    expect(problems).to.deep.equal(['ignored']);
  });

  it('returns the address that the outermost trusted proxy saw, because earlier entries may be invented', () => {
    expect(addressOf(1)(request('9.9.9.9, 1.1.1.1'))).to.equal('1.1.1.1');
    expect(addressOf(2)(request('9.9.9.9, 1.1.1.1, 10.0.0.2'))).to.equal('1.1.1.1');
  });

  it('returns the first entry when the request passed fewer proxies than are trusted', () => {
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
    it(`H260: returns ${address} where a proxy writes ${entry}`, () => {
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
    it(`H260: returns the address of the connection where a proxy writes ${text}`, () => {
      expect(addressOf(1)(request(`9.9.9.9, ${text}`))).to.equal('10.0.0.1');
      expect(problems).to.deep.equal(['invalid']);
    });
  }

  it('H260: returns the address of the connection where X-Forwarded-For is empty', () => {
    expect(addressOf(1)(request(' , '))).to.equal('10.0.0.1');
    expect(problems).to.deep.equal(['invalid']);
  });
});

describe('subnetOf and networksOf', () => {
  it('counts a /64 of IPv6 as one client, in every spelling of its addresses', () => {
    const one = subnetOf('2001:db8::1');
    expect(subnetOf('2001:db8:0:0:ffff:1:2:3')).to.equal(one);
    expect(subnetOf('2001:0db8::2')).to.equal(one);
    expect(subnetOf('2001:db8:0:1::1')).not.to.equal(one);
  });

  it('counts each IPv4 address', () => {
    expect(subnetOf('::ffff:192.0.2.1')).to.equal(subnetOf('192.0.2.1'));
    expect(subnetOf('::ffff:192.0.2.2')).not.to.equal(subnetOf('192.0.2.1'));
  });

  it('counts a /64, a /56 and a /48 of IPv6 where a client could use many networks', () => {
    const [narrow, middle, wide] = networksOf('2001:db8:1:2ff::1');
    expect(networksOf('2001:db8:1:2ff:0:0:0:2')).to.deep.equal([narrow, middle, wide]);
    expect(networksOf('2001:db8:1:2aa::1').slice(1)).to.deep.equal([middle, wide]);
    expect(networksOf('2001:db8:1:3ff::1').slice(2)).to.deep.equal([wide]);
    expect(networksOf('2001:db8:2:2ff::1')).not.to.include(wide);
    expect(new Set([narrow, middle, wide]).size).to.equal(3);
    expect(networksOf('::ffff:192.0.2.1')).to.deep.equal(['192.0.2.1']);
  });

  it('counts text that is not an address, cut to a length', () => {
    expect(subnetOf('x'.repeat(1_000))).to.equal('x'.repeat(64));
  });
});
