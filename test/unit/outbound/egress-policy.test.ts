import { expect } from 'chai';
import { createEgressPolicy } from '../../../src/domain/endpoint/egress-policy.js';
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

  it('what is no plain address is not dialled', () => {
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
    for (const address of ['10.1.2.3', 'fd12::1', '64:ff9b::8.8.8.8', '8.8.8.8']) {
      expect(mayConnect(address), address).to.equal(true);
    }
    for (const address of ['10.2.0.1', '127.0.0.1', '::1', 'fd13::1', '::ffff:10.1.2.3']) {
      expect(mayConnect(address), address).to.equal(false);
    }
  });

  it('no CIDR opens link-local or metadata addresses, nor a v6 form that hides one', () => {
    const mayConnect = createEgressPolicy({ kind: 'cidrs', cidrs: ['0.0.0.0/0', '::/0'] });
    for (const address of sealedAddresses) expect(mayConnect(address), address).to.equal(false);
    expect(mayConnect('::1')).to.equal(true);
  });
});
