import { expect } from 'chai';
import { Sealer } from '../../../../src/domain/sealer.js';
import { SecretCache } from '../../../../workers/delivery/secret-cache.js';
import { claimOf } from '../../../support/claims.js';

const sealer = new Sealer([{ id: 'k1', key: Buffer.alloc(32, 7) }]);

describe('cached secrets', () => {
  it('come in the order of the claim and only from the claim', () => {
    const secrets = new SecretCache(sealer);
    const [one, two] = [sealer.seal('whsec_one', 'whs_1'), sealer.seal('whsec_two', 'whs_1')];
    const claim = claimOf('pdl_1', 'whs_1');
    expect(secrets.of({ ...claim, secrets: [two, one] })).to.deep.equal(['whsec_two', 'whsec_one']);
    expect(secrets.of({ ...claim, secrets: [one] })).to.deep.equal(['whsec_one']);
  });

  it('are refused to an endpoint they were not sealed for, remembered or not', () => {
    const secrets = new SecretCache(sealer);
    const sealed = [sealer.seal('whsec_one', 'whs_1')];
    secrets.of({ ...claimOf('pdl_1', 'whs_1'), secrets: sealed });
    expect(() => secrets.of({ ...claimOf('pdl_2', 'whs_2'), secrets: sealed })).to.throw();
  });

  it('are missing loudly: nothing is sent unsigned', () => {
    expect(() => new SecretCache(sealer).of(claimOf('pdl_1', 'whs_1'))).to.throw('no signing');
  });
});
