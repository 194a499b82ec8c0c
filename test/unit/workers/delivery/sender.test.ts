import type { KeyObject } from 'node:crypto';
import { expect } from 'chai';
import { isAwaitedReplay } from '../../../../src/domain/delivery/replay.js';
import {
  createAttemptSender,
  NoSecretOpens,
  SecretCache,
  ResponseBudget,
} from '../../../../workers/delivery/sender.js';
import { claimOf } from '../../../support/engine.js';
import { makeKeyPair, parsePrivateKey } from '../../../../src/domain/endpoint/key-pairs.js';
import { Sealer } from '../../../../src/domain/values/sealer.js';

describe('an attempt', () => {
  it('marks an attempt of a recovery, for which no client waits', async () => {
    const post = () =>
      Promise.resolve({ outcome: { kind: 'accepted' as const, status: 200 }, durationMs: 1 });

    for (const lane of ['recovery', 'replay'] as const) {
      const attempt = createAttemptSender({
        webhookClient: { post },
        secrets: { of: () => [], privateKeysOf: () => [], headersOf: () => undefined },
        contentType: 'application/json',
        keepResponses: true,
        lane,
      });

      const claim = { ...claimOf('pdl_1', 'whe_1'), replayedFrom: 'whd_1' };
      const ended = await attempt(claim, 0, new AbortController().signal);
      expect(isAwaitedReplay(ended), lane).to.equal(lane === 'replay');
    }
  });

  it('sends the bytes of the event, and keeps none in the result', async () => {
    const posted: string[] = [];
    const attempt = createAttemptSender({
      webhookClient: {
        post: (_url, _headers, body) => {
          posted.push(body.toString());
          return Promise.resolve({ outcome: { kind: 'accepted', status: 200 }, durationMs: 1 });
        },
      },
      secrets: { of: () => [], privateKeysOf: () => [], headersOf: () => undefined },
      contentType: 'application/json',
      keepResponses: true,
    });

    const claim = claimOf('pdl_1', 'whe_1');
    const ended = await attempt(claim, 0, new AbortController().signal);

    expect(posted).to.deep.equal(['{}']);

    expect(ended.claim.event).to.deep.equal({
      id: 'evt_1',
      type: 'cart.order.completed',
      version: 'v1',
    });

    expect(ended.claim.token).to.equal(claim.token);
  });
});

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

  it('returns opened secrets in the order of the claim, and no others', () => {
    const secrets = createCache();
    const one = sealer.seal('whsec_one', 'whs_1');
    const two = sealer.seal('whsec_two', 'whs_1');
    const claim = claimOf('pdl_1', 'whs_1');
    expect(secrets.of({ ...claim, secrets: [two, one] })).to.deep.equal(['whsec_two', 'whsec_one']);
    expect(secrets.of({ ...claim, secrets: [one] })).to.deep.equal(['whsec_one']);
  });

  it('does not open a secret for an endpoint that it was not sealed for, cached or not', () => {
    const secrets = createCache();
    const sealed = [sealer.seal('whsec_one', 'whs_1')];
    secrets.of({ ...claimOf('pdl_1', 'whs_1'), secrets: sealed });
    expect(() => secrets.of({ ...claimOf('pdl_2', 'whs_2'), secrets: sealed })).to.throw(
      NoSecretOpens,
    );
  });

  it('throws without a secret, so nothing is sent unsigned', () => {
    expect(() => createCache().of(claimOf('pdl_1', 'whs_1'))).to.throw(NoSecretOpens);
    expect(missing).to.eql(['whs_1 has no signing secret']);
  });

  it('signs with the secrets that open, names each other one with its key, and tries it once', () => {
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

describe('cached headers', () => {
  const headers = [['Authorization', 'Bearer x']] as const;
  const text = JSON.stringify({ origin: 'https://shop.example', headers });
  const missing: string[] = [];
  const cache = new SecretCache({
    sealer,
    onMissing: (_claim, reason) => void missing.push(reason),
  });
  const claim = { ...claimOf('pdl_1', 'whs_1'), headers: sealer.seal(text, 'whs_1') };

  it('are opened for the origin of the claim, again and again', () => {
    expect(cache.headersOf(claim)).to.deep.equal(headers);
    expect(cache.headersOf(claim)).to.deep.equal(headers);
    expect(cache.headersOf({ ...claim, headers: null })).to.equal(undefined);
  });

  it('H302: are not sent to another origin', () => {
    expect(cache.headersOf({ ...claim, url: 'https://other.example/' })).to.deep.equal([]);
  });

  it('H303: make the delivery wait, and not go without them, if no key opens them', () => {
    const closed = { ...claim, headers: other.seal(text, 'whs_1') };
    expect(() => cache.headersOf(closed)).to.throw(NoSecretOpens);
    expect(() => cache.headersOf({ ...claim, endpointId: 'whs_2' })).to.throw(NoSecretOpens);
    expect(missing).to.deep.equal([
      'cannot open the headers of whs_1: SECRET_KEY k1 is not the key that sealed it',
      'cannot open the headers of whs_2: SECRET_KEY k1 is not the key that sealed it',
    ]);
  });

  it('H301: go with the request, and are not in the result', async () => {
    const posted: Readonly<Record<string, string>>[] = [];
    const attempt = createAttemptSender({
      webhookClient: {
        post: (_url, sent) => {
          posted.push(sent);
          return Promise.resolve({ outcome: { kind: 'rejected', status: 500 }, durationMs: 1 });
        },
      },
      secrets: {
        of: () => [],
        privateKeysOf: () => [],
        headersOf: (each) => cache.headersOf(each),
      },
      contentType: 'application/json',
      keepResponses: true,
    });

    const ended = await attempt(claim, 0, new AbortController().signal);
    expect(posted[0]).to.include({ Authorization: 'Bearer x', 'webhook-id': 'evt_1' });
    expect(ended.evidence?.requestHeaders.map(([name]) => name)).to.include('webhook-id');
    expect(JSON.stringify(ended)).not.to.include('Bearer x').and.not.include('authorization');
    expect(ended.claim).not.to.have.property('headers');
  });
});

describe('cached private keys', () => {
  const [one, two] = [makeKeyPair(), makeKeyPair()].map(({ privateKey }) => privateKey) as [
    string,
    string,
  ];
  const claim = claimOf('pdl_1', 'whs_1');
  const seeds = (keys: readonly KeyObject[]) =>
    keys.map((key) => key.export({ format: 'der', type: 'pkcs8' }).toString('hex'));

  it('are parsed once, and returned in the order of the claim', () => {
    const cache = new SecretCache({ sealer, onMissing: () => undefined });
    const privateKeys = [two, one].map((key) => sealer.seal(key, 'whs_1'));
    const opened = cache.privateKeysOf({ ...claim, privateKeys });
    expect(seeds(opened)).to.deep.equal(seeds([two, one].map(parsePrivateKey)));

    const again = cache.privateKeysOf({ ...claim, privateKeys });
    expect(again.map((key, place) => key === opened[place])).to.deep.equal([true, true]);
    expect(cache.privateKeysOf(claim)).to.deep.equal([]);
  });

  it('H306: make the delivery wait if no key of the ring opens them, and sign if one does', () => {
    const missing: string[] = [];
    const cache = new SecretCache({ sealer, onMissing: (_claim, reason) => missing.push(reason) });
    const closed = other.seal(one, 'whs_1');
    const open = sealer.seal(two, 'whs_1');

    expect(() => cache.privateKeysOf({ ...claim, privateKeys: [closed] })).to.throw(
      NoSecretOpens,
      'no private key of whs_1 opens',
    );
    expect(cache.privateKeysOf({ ...claim, privateKeys: [closed, open] })).to.have.lengthOf(1);
    const reason =
      'cannot open the private key of whs_1: SECRET_KEY k1 is not the key that sealed it';
    expect(missing).to.deep.equal([reason, reason]);
  });
});

describe('the budget of responses', () => {
  const at = new Date('2026-11-23T10:59:59Z');

  function spent(endpoint: string): ResponseBudget {
    const budget = new ResponseBudget();
    for (let kept = 0; kept < 100; kept += 1) {
      expect(budget.allows(endpoint, at)).to.equal(true);
      budget.count(endpoint, at);
    }
    return budget;
  }

  it('keeps a hundred responses of an endpoint in an hour', () => {
    expect(spent('whs_1').allows('whs_1', at)).to.equal(false);
  });

  it('begins again with the next hour, and counts each endpoint separately', () => {
    const budget = spent('whs_1');
    expect(budget.allows('whs_2', at)).to.equal(true);
    expect(budget.allows('whs_1', new Date(at.getTime() + 1_000))).to.equal(true);
  });
});
