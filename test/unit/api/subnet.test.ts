import { expect } from 'chai';
import { networksOf, subnetOf } from '../../../src/api/subnet.js';

describe('who is counted as one client', () => {
  it('is a /64 of IPv6, in every spelling of its addresses', () => {
    const one = subnetOf('2001:db8::1');
    expect(subnetOf('2001:db8:0:0:ffff:1:2:3')).to.equal(one);
    expect(subnetOf('2001:0db8::2')).to.equal(one);
    expect(subnetOf('2001:db8:0:1::1')).not.to.equal(one);
  });

  it('is one address of IPv4', () => {
    expect(subnetOf('::ffff:192.0.2.1')).to.equal(subnetOf('192.0.2.1'));
    expect(subnetOf('::ffff:192.0.2.2')).not.to.equal(subnetOf('192.0.2.1'));
  });

  it('is a /64, a /56 and a /48 of IPv6 where a client could use many', () => {
    const [narrow, middle, wide] = networksOf('2001:db8:1:2ff::1');
    expect(networksOf('2001:db8:1:2ff:0:0:0:2')).to.deep.equal([narrow, middle, wide]);
    expect(networksOf('2001:db8:1:2aa::1').slice(1)).to.deep.equal([middle, wide]);
    expect(networksOf('2001:db8:1:3ff::1').slice(2)).to.deep.equal([wide]);
    expect(networksOf('2001:db8:2:2ff::1')).not.to.include(wide);
    expect(new Set([narrow, middle, wide]).size).to.equal(3);
    expect(networksOf('::ffff:192.0.2.1')).to.deep.equal(['192.0.2.1']);
  });

  it('is what a proxy says, cut, when that is no address', () => {
    expect(subnetOf('x'.repeat(1_000))).to.equal('x'.repeat(64));
  });
});
