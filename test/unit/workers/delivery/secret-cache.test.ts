import { expect } from 'chai';
import { Sealer } from '../../../../src/domain/sealer.js';
import { NoSecretOpens, SecretCache } from '../../../../workers/delivery/sender.js';
import { claimOf } from '../../../support/engine.js';

const sealer = new Sealer([{ id: 'k1', key: Buffer.alloc(32, 7) }]);
const other = new Sealer([{ id: 'k1', key: Buffer.alloc(32, 8) }]);
const older = new Sealer([{ id: 'k0', key: Buffer.alloc(32, 6) }]);

describe('cached secrets', () => {
  let missing: string[];
  let opened: number;

  beforeEach(() => {
    missing = [];
    opened = 0;
  });

  const createCache = () =>
    new SecretCache({
      sealer: {
        tryOpen(...args) {
          opened += 1;
          return sealer.tryOpen(...args);
        },
      },
      onMissing: (_claim, reason) => void missing.push(reason),
    });

  it('come in the order of the claim and only from the claim', () => {
    const secrets = createCache();
    const one = sealer.seal('whsec_one', 'whs_1');
    const two = sealer.seal('whsec_two', 'whs_1');
    const claim = claimOf('pdl_1', 'whs_1');
    expect(secrets.of({ ...claim, secrets: [two, one] })).to.deep.equal(['whsec_two', 'whsec_one']);
    expect(secrets.of({ ...claim, secrets: [one] })).to.deep.equal(['whsec_one']);
  });

  it('are refused to an endpoint they were not sealed for, remembered or not', () => {
    const secrets = createCache();
    const sealed = [sealer.seal('whsec_one', 'whs_1')];
    secrets.of({ ...claimOf('pdl_1', 'whs_1'), secrets: sealed });
    expect(() => secrets.of({ ...claimOf('pdl_2', 'whs_2'), secrets: sealed })).to.throw(
      NoSecretOpens,
    );
  });

  it('are missing loudly: nothing is sent unsigned', () => {
    expect(() => createCache().of(claimOf('pdl_1', 'whs_1'))).to.throw(NoSecretOpens);
    expect(missing).to.eql(['whs_1 has no signing secret']);
  });

  it('sign as far as they open; each missing one is named with the key, and tried once', () => {
    const secrets = createCache();
    const claim = claimOf('pdl_1', 'whs_1');
    const sealed = [other, sealer, older].map((by) => by.seal('whsec_one', 'whs_1'));
    const cannot = 'cannot open the signing secret of whs_1';
    const reasons = [
      `${cannot}: SECRET_KEY k1 is not the key that sealed it`,
      `${cannot}: SECRET_KEY has no key k0, which sealed it`,
    ];

    expect(secrets.of({ ...claim, secrets: sealed })).to.eql(['whsec_one']);
    expect(secrets.of({ ...claim, secrets: sealed })).to.eql(['whsec_one']);
    expect(missing).to.eql([...reasons, ...reasons]);
    expect(opened).to.equal(3);

    const closed = sealed.filter(({ keyId }) => keyId === 'k0');
    expect(() => secrets.of({ ...claim, secrets: closed })).to.throw(NoSecretOpens, 'whs_1');
  });
});
