import { expect } from 'chai';
import {
  createEgressPolicy,
  findNat64Prefixes,
} from '../../../src/domain/endpoint/egress-policy.js';
import { closedAddresses, openAddresses, sealedAddresses } from './address-ranges.js';

describe('the egress policy', () => {
  const strict = createEgressPolicy({ kind: 'none' });
  const lenient = createEgressPolicy({ kind: 'private' });

  for (const [range, addresses] of Object.entries(closedAddresses)) {
    for (const address of addresses) {
      it(`H4: ${address} (${range}) is not dialled`, () => {
        expect(strict(address)).to.equal(false);
      });
    }
  }

  for (const address of openAddresses) {
    it(`${address} is dialled`, () => {
      expect(strict(address)).to.equal(true);
    });
  }

  it('text that is not a plain address is not dialled', () => {
    for (const text of [
      '',
      'localhost',
      '127.1',
      '1.1.1.1.',
      '[::1]',
      'fe80::1%eth0',
      '2606::1%1',
    ]) {
      expect(strict(text), text).to.equal(false);
      expect(lenient(text), text).to.equal(false);
    }
  });

  it('"private" opens loopback, RFC 1918 and fc00::/7', () => {
    const opened = ['127.0.0.1', '::1', '0:0:0:0:0:0:0:1', '10.1.2.3', '172.20.0.1'];
    for (const address of [...opened, '192.168.9.9', 'fc00::1', 'fd12::1', '1.1.1.1']) {
      expect(lenient(address), address).to.equal(true);
    }
  });

  it('"private" opens nothing else', () => {
    for (const address of [...sealedAddresses, '0.0.0.0', '100.64.0.1', '224.0.0.1', 'ff02::1']) {
      expect(lenient(address), address).to.equal(false);
    }
  });

  it('CIDRs open exactly their addresses', () => {
    const mayConnect = createEgressPolicy({
      kind: 'cidrs',
      cidrs: ['10.1.0.0/16', 'fd12::/32', '64:ff9b::/96'],
    });

    for (const address of [
      '10.1.2.3',
      'fd12::1',
      '64:ff9b::8.8.8.8',
      '64:ff9b::10.1.2.3',
      '8.8.8.8',
    ]) {
      expect(mayConnect(address), address).to.equal(true);
    }

    for (const address of [
      '10.2.0.1',
      '64:ff9b::10.2.0.1',
      '64:ff9b::127.0.0.1',
      '127.0.0.1',
      '::1',
      'fd13::1',
      '::ffff:10.1.2.3',
    ]) {
      expect(mayConnect(address), address).to.equal(false);
    }
  });

  it('H256: judges an address under a prefix of NAT64 by the IPv4 address that it embeds', () => {
    for (const [found, open, closed] of [
      ['2a00:64::c000:aa', '2a00:64::808:808', '2a00:64::a00:1'],
      ['fd64::c000:ab', 'fd64::808:808', 'fd64::a00:1'],
      ['64:ff9b:1::c000:aa', '64:ff9b:1::808:808', '64:ff9b:1::7f00:1'],
      ['2a00:64:c000:aa::', '2a00:64:808:808::', '2a00:64:a00:1::'],
      ['2a00:64:aac0:0:aa::', '2a00:64:aa08:808:8::', '2a00:64:aa0a:0:1::'],
      ['2a00:64:0:c000:0:aa00::', '2a00:64:0:808:8:800::', '2a00:64:0:a00:0:100::'],
      ['2a00:64:0:5c0:0:aa::', '2a00:64:0:508:8:808::', '2a00:64:0:50a:0:1::'],
      ['2a00:64:0:5:c0:0:aa00:0', '2a00:64:0:5:8:808:800:0', '2a00:64:0:5:a:0:100:0'],
    ] as const) {
      const nat64 = findNat64Prefixes([found]);
      expect(nat64, found).to.have.length(1);
      expect(strict(open, nat64), open).to.equal(true);
      expect(strict(closed, nat64), closed).to.equal(false);
      expect(lenient(closed, nat64), closed).to.equal(true);
    }

    const nat64 = findNat64Prefixes(['2a00:64::c000:aa']);

    for (const sealed of ['2a00:64::169.254.169.254', '2a00:64::100.100.100.200']) {
      expect(lenient(sealed, nat64), sealed).to.equal(false);
    }
  });

  it('H256: no prefix of NAT64 opens what no setting opens', () => {
    const nat64 = findNat64Prefixes(['fe80::c000:aa', 'fd00:ec2::c000:aa', '::ffff:192.0.0.170']);
    for (const address of ['fe80::808:808', 'fd00:ec2::808:808', '::ffff:8.8.8.8']) {
      expect(lenient(address, nat64), address).to.equal(false);
    }
  });

  it('no CIDR opens link-local or metadata addresses, nor a v6 form that hides one', () => {
    const mayConnect = createEgressPolicy({ kind: 'cidrs', cidrs: ['0.0.0.0/0', '::/0'] });
    for (const address of sealedAddresses) expect(mayConnect(address), address).to.equal(false);
    expect(mayConnect('::1')).to.equal(true);
  });
});
