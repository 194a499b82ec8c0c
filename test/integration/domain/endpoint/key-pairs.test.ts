import { expect } from 'chai';
import type { Database } from '../../../../src/database/database.js';
import { createAccount } from '../../../../src/domain/account/accounts.js';
import { exportAccount } from '../../../../src/domain/account/export-account.js';
import { createEndpoint, deleteEndpoint } from '../../../../src/domain/endpoint/change-endpoint.js';
import {
  optionsById,
  setEndpointOptions,
} from '../../../../src/domain/endpoint/endpoint-options.js';
import { publicKeysById } from '../../../../src/domain/endpoint/key-pairs.js';
import {
  replaceLostSecrets,
  rotatePublicKey,
  rotateSigningSecret,
} from '../../../../src/domain/endpoint/rotate-secrets.js';
import { resealSecrets } from '../../../../src/domain/endpoint/secrets.js';
import { DomainError } from '../../../../src/domain/errors.js';
import { publishEvent } from '../../../../src/domain/event/publish.js';
import { commandActor } from '../../../../src/domain/transaction/actor.js';
import { Sealer } from '../../../../src/domain/values/sealer.js';
import { createTestDatabase, type TestDatabase, testRules } from '../../../support/database.js';
import { claimAll, eventType } from '../../../support/engine.js';
import { tablesWith } from '../../../support/erasure.js';

const hourMs = 3_600_000;

describe('the key pairs of an endpoint', () => {
  let test: TestDatabase;
  let database: Database;
  let account: string;
  let id: string;

  before(async () => {
    test = await createTestDatabase();
    database = await test.open({ actor: commandActor });
  });

  after(() => test.drop());

  beforeEach(async () => {
    account = (await database.transact((tx) => createAccount(tx, { name: 'Shop' }))).id;
    id = await create();
  });

  const create = async () => {
    const input = {
      url: 'https://shop.example/hook',
      eventTypes: [eventType],
      notificationEmail: 'ops@shop.example',
    };
    const created = await database.transact((tx) => createEndpoint(tx, account, input));
    return created.endpoint.id;
  };

  const set = (publicKeySignature: boolean | null | undefined, endpoint = id) =>
    database.transact((tx) => setEndpointOptions(tx, account, endpoint, { publicKeySignature }));

  const rotate = () => database.transact((tx) => rotatePublicKey(tx, account, id));

  const keysOf = async (endpoint = id) =>
    (await optionsById(database.read, [endpoint])).get(endpoint)?.publicKeys ?? [];

  const publicKeys = async (endpoint = id) =>
    (await keysOf(endpoint)).map(({ publicKey }) => publicKey);

  const sealedRows = (endpoint = id) =>
    test.query<{ keyId: string; sealed: Buffer; publicKey: string }>(
      `select key_id as "keyId", sealed, public_key as "publicKey" from endpoint_secret
        where endpoint_id = $1 and kind = 'ed25519' order by id desc`,
      [endpoint],
    );

  /** The claims of one event, by endpoint. */
  const claimed = async () => {
    await test.query('truncate pending_delivery, lease');
    await database.transact((tx) =>
      publishEvent(tx, account, { type: eventType, subject: 's', data: {} }),
    );
    const claims = await claimAll(database.read);
    return new Map(claims.map((claim) => [claim.endpointId, claim]));
  };

  it('H305: are made when they are asked for, and the private key is stored sealed only', async () => {
    expect(await publicKeys()).to.deep.equal([]);
    const { updatedAt } = await set(true);
    const [key] = await keysOf();
    expect(key).to.include({ expiresAt: null });
    expect(key?.createdAt).to.deep.equal(updatedAt);

    const [row] = await sealedRows();
    const opened = testRules().sealer.open(row!, id);
    expect(opened).to.match(/^whsk_/);
    const bytes = Buffer.from(opened.slice('whsk_'.length), 'base64');
    expect(`whpk_${bytes.subarray(32).toString('base64')}`).to.equal(key?.publicKey);

    const seed = bytes.subarray(0, 32);
    for (const mark of [
      opened.slice(5, 45),
      seed.toString('hex'),
      seed.toString('base64url').slice(0, 40),
    ]) {
      expect(await tablesWith(test, mark), mark).to.deep.equal([]);
    }

    const exported = [];
    for await (const page of exportAccount(database.read, account)) exported.push(...page);
    expect(JSON.stringify(exported)).not.to.include('whsk_');
  });

  it('H305: go with claims apart from the signing secrets; other endpoints bring none', async () => {
    await set(true);
    await rotate();
    await database.transact((tx) => rotateSigningSecret(tx, account, id));
    const plain = await create();

    const claims = await claimed();
    const { sealer } = testRules();
    const open = (endpoint: string, kind: 'secrets' | 'privateKeys') =>
      claims.get(endpoint)?.[kind].map((sealed) => sealer.open(sealed, endpoint).slice(0, 5));
    expect(open(id, 'privateKeys')).to.deep.equal(['whsk_', 'whsk_']);
    expect(open(id, 'secrets')).to.deep.equal(['whsec', 'whsec']);
    expect(open(plain, 'privateKeys')).to.deep.equal([]);
    expect(open(plain, 'secrets')).to.deep.equal(['whsec']);

    const newest = Buffer.from(
      sealer.open(claims.get(id)!.privateKeys[0]!, id).slice('whsk_'.length),
      'base64',
    );
    expect(`whpk_${newest.subarray(32).toString('base64')}`).to.equal((await publicKeys())[0]);
  });

  it('H306: a rotation keeps the older ones for 24 hours, at most ten, and leaves the secrets', async () => {
    await set(true);
    const [first] = await publicKeys();
    const { updatedAt } = await rotate();
    const [second, former] = await keysOf();
    expect(second?.publicKey).not.to.equal(first);
    expect(second?.expiresAt).to.equal(null);
    expect(former).to.deep.include({
      publicKey: first,
      expiresAt: new Date(updatedAt.getTime() + 24 * hourMs),
    });

    await test.query(
      `update endpoint_secret set expires_at = now() - interval '1 millisecond'
        where public_key = $1`,
      [first],
    );
    expect(await publicKeys()).to.deep.equal([second?.publicKey]);
    expect((await claimed()).get(id)?.privateKeys).to.have.lengthOf(1);

    for (let round = 0; round < 12; round += 1) await rotate();
    expect(await publicKeys()).to.have.lengthOf(11);
    expect(await sealedRows()).to.have.lengthOf(11);
    expect((await claimed()).get(id)?.secrets).to.have.lengthOf(1);

    await database.transact((tx) => rotateSigningSecret(tx, account, id));
    expect(await publicKeys()).to.have.lengthOf(11);
    expect((await keysOf()).filter(({ expiresAt }) => expiresAt === null)).to.have.lengthOf(1);
  });

  it('H306: turning it off deletes all at once, and on again makes another; both are audited', async () => {
    await set(true);
    const [first] = await publicKeys();
    await set(true);
    await set(undefined);
    expect(await publicKeys()).to.deep.equal([first]);

    await rotate();
    const [second] = await publicKeys();
    await set(false);
    expect(await sealedRows()).to.deep.equal([]);
    await set(null);

    const refusal = await rotate().catch((error: unknown) => error);
    expect(refusal).to.be.instanceOf(DomainError).and.include({ code: 'state_conflict' });

    await set(true);
    const [third] = await publicKeys();
    expect(new Set([first, second, third]).size).to.equal(3);

    const entries = await test.query<{ action: string; changes: unknown }>(
      `select action, changes from audit_entry
        where resource_id = $1 and action <> 'endpoint_created' order by id`,
      [id],
    );
    const change = (from: string | null | undefined, to: string | null | undefined) => [
      { field: 'public_key', from, to },
    ];
    expect(entries).to.deep.equal([
      { action: 'endpoint_options_changed', changes: change(null, first) },
      { action: 'public_key_rotated', changes: change(first, second) },
      { action: 'endpoint_options_changed', changes: change(second, null) },
      { action: 'endpoint_options_changed', changes: change(null, third) },
    ]);
  });

  it('H306: go with the endpoint when it is deleted', async () => {
    await set(true);
    await database.transact((tx) => deleteEndpoint(tx, account, id));
    expect(await sealedRows()).to.deep.equal([]);
    expect(await publicKeysById(database.read, [id])).to.deep.equal(new Map());
  });

  it('H306: keys rotate reseals them, and they stay the same', async () => {
    await set(true);
    const before = await publicKeys();
    const [row] = await sealedRows();
    const ring = [
      { id: 'k2', key: Buffer.alloc(32, 8) },
      { id: 'k1', key: Buffer.alloc(32, 7) },
    ];
    const rotated = await test.open({ rules: testRules({ sealer: new Sealer(ring) }) });
    const { closed } = await rotated.transact((tx) => resealSecrets(tx, 200, ''));
    expect(closed).to.deep.equal([]);

    const [resealed] = await sealedRows();
    expect(resealed?.keyId).to.equal('k2');
    expect(new Sealer(ring.slice(0, 1)).open(resealed!, id)).to.equal(
      testRules().sealer.open(row!, id),
    );
    expect(await publicKeys()).to.deep.equal(before);
  });

  it('H306: replacing what no key opens makes another key pair for the newest one', async () => {
    const other = await create();
    await set(true);
    await set(true, other);
    const [lost] = await publicKeys();
    const kept = await publicKeys(other);
    await test.query(
      `update endpoint_secret set key_id = 'gone' where endpoint_id = $1 and kind = 'ed25519'`,
      [id],
    );

    const result = await database.transact((tx) => replaceLostSecrets(tx, account));
    const [fresh] = await publicKeys();
    expect(fresh).not.to.equal(lost);
    expect(result).to.deep.include({ replaced: [], removed: 1, headers: [] });
    expect(
      result.publicKeys.map(({ endpoint, publicKey }) => [endpoint.id, publicKey]),
    ).to.deep.equal([[id, fresh]]);
    expect(await publicKeys(other)).to.deep.equal(kept);

    const again = await database.transact((tx) => replaceLostSecrets(tx, account));
    expect(again).to.deep.equal({ replaced: [], removed: 0, publicKeys: [], headers: [] });
  });
});
