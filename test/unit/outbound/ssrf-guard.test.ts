import { expect } from 'chai';
import { createEgressPolicy } from '../../../src/domain/endpoint/egress-policy.js';
import type { PrivateTargets } from '../../../src/domain/private-targets.js';
import { BlockedDestination, checkAddresses } from '../../../src/outbound/ssrf-guard.js';
import type { ResolvedAddress } from '../../../src/outbound/resolve.js';

describe('the check of resolved addresses', () => {
  const v4 = { address: '1.1.1.1', family: 4 } as const;
  const v6 = { address: '2606:4700::1111', family: 6 } as const;
  const inside = { address: '10.0.0.1', family: 4 } as const;

  const check = (answer: readonly ResolvedAddress[], policy: PrivateTargets = { kind: 'none' }) =>
    checkAddresses(answer, createEgressPolicy(policy));

  it('lets public addresses of both families through', () => {
    expect(check([v4, v6])).to.deep.equal([v4, v6]);
  });

  it('refuses the whole answer when one address of it is closed', () => {
    for (const answer of [[inside], [v4, inside], [inside, v6], [v6, v4, inside]]) {
      expect(() => check(answer))
        .to.throw(BlockedDestination)
        .that.has.property('message')
        .that.does.not.match(/\d/);
    }
  });

  it('lets an address through that the operator opened', () => {
    expect(check([inside], { kind: 'private' })).to.deep.equal([inside]);
  });
});
