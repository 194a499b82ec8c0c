import { expect } from 'chai';
import type { Database } from '../../../../src/database/database.js';
import { createAccount } from '../../../../src/domain/account/accounts.js';
import { exportAccount } from '../../../../src/domain/account/export-account.js';
import {
  createEndpoint,
  deleteEndpoint,
  updateEndpoint,
} from '../../../../src/domain/endpoint/change-endpoint.js';
import {
  optionsById,
  setEndpointOptions,
} from '../../../../src/domain/endpoint/endpoint-options.js';
import { getEndpoint } from '../../../../src/domain/endpoint/endpoints.js';
import type { HeaderInput } from '../../../../src/domain/endpoint/headers.js';
import {
  replaceLostSecrets,
  rotateSigningSecret,
} from '../../../../src/domain/endpoint/rotate-secrets.js';
import { addSecret, resealSecrets, secretsByKey } from '../../../../src/domain/endpoint/secrets.js';
import { startBuyerErasure } from '../../../../src/domain/erasure/erasures.js';
import { publishEvent } from '../../../../src/domain/event/publish.js';
import { commandActor } from '../../../../src/domain/transaction/actor.js';
import { Sealer } from '../../../../src/domain/values/sealer.js';
import { createTestDatabase, type TestDatabase, testRules } from '../../../support/database.js';
import { claimAll, eventType } from '../../../support/engine.js';
import { runErasure, tablesWith } from '../../../support/erasure.js';
import { issuesOf } from '../../../support/refusal.js';

const authorization = { name: 'Authorization', value: 'Bearer gateway-zz1' };
const key = { name: 'X-Key', value: 'key-zz2' };

describe('the static headers of an endpoint', () => {
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

  const set = (headers: readonly HeaderInput[] | null, endpoint = id) =>
    database.transact((tx) => setEndpointOptions(tx, account, endpoint, { headers }));

  const move = (url: string) =>
    database.transact((tx) => updateEndpoint(tx, account, id, { url }, { mayChangeEmail: false }));

  const shown = async (endpoint = id) =>
    (await optionsById(database.read, [endpoint])).get(endpoint)?.headers ?? null;

  /** The headers with which the next event would be sent. */
  const sealedIn = async (endpoint = id) => {
    const rows = await test.query<{ keyId: string; sealed: Buffer }>(
      `select key_id as "keyId", sealed from endpoint_secret
        where endpoint_id = $1 and kind = 'headers'`,
      [endpoint],
    );
    const ring = ['k1', 'k2'].map((ringId, place) => ({
      id: ringId,
      key: Buffer.alloc(32, 7 + place),
    }));
    const sealer = new Sealer(ring);
    return rows.map((row) => JSON.parse(sealer.open(row, endpoint)) as unknown);
  };

  const sealedFor = (origin: string, ...headers: { name: string; value: string }[]) => [
    { origin, headers: headers.map(({ name, value }) => [name, value]) },
  ];

  const audited = async () => {
    const rows = await test.query<{ changes: unknown }>(
      `select changes -> -1 as changes from audit_entry
        where resource_id = $1 and changes @> '[{"field":"headers"}]' order by id`,
      [id],
    );
    return rows.map(({ changes }) => changes);
  };

  it('H300: shows names and time, and stores the values nowhere but sealed', async () => {
    const { updatedAt } = await set([authorization, key]);
    expect(await shown()).to.deep.equal({
      names: ['Authorization', 'X-Key'],
      setAt: updatedAt,
      sent: true,
    });
    expect(await sealedIn()).to.deep.equal(sealedFor('https://shop.example', authorization, key));

    for (const { value } of [authorization, key]) {
      expect(await tablesWith(test, value)).to.deep.equal([]);
      expect(await tablesWith(test, Buffer.from(value).toString('base64').slice(0, 8))).to.eql([]);
    }

    const rows = [];
    for await (const page of exportAccount(database.read, account)) rows.push(...page);
    const exported = rows.find(({ table }) => table === 'endpoint');
    expect(exported?.['header_names']).to.deep.equal(['Authorization', 'X-Key']);
    expect(JSON.stringify(rows)).not.to.include('zz1').and.not.include('zz2');
  });

  it('H300: replaces the whole list, keeps values that are not given, and removes all by null', async () => {
    await set([authorization, key]);
    await set([{ name: 'x-key' }, { name: 'X-New', value: 'n' }]);
    expect(await sealedIn()).to.deep.equal(
      sealedFor('https://shop.example', { ...key, name: 'x-key' }, { name: 'X-New', value: 'n' }),
    );

    await set(null);
    expect(await shown()).to.equal(null);
    expect(await sealedIn()).to.deep.equal([]);

    await set([key]);
    await set([]);
    expect(await shown()).to.equal(null);

    expect(await audited()).to.deep.equal([
      { field: 'headers', from: '', to: 'Authorization, X-Key' },
      { field: 'headers', from: 'Authorization', to: 'X-New' },
      { field: 'headers', from: 'x-key, X-New', to: '' },
      { field: 'headers', from: '', to: 'X-Key' },
      { field: 'headers', from: 'X-Key', to: '' },
    ]);
  });

  it('H300: refuses a value to keep that is not stored, and values that are too long with kept ones', async () => {
    await set([{ name: 'X-Long', value: 'x'.repeat(4_000) }]);
    expect(await issuesOf(set([{ name: 'X-Long' }, { name: 'X-Key' }]))).to.deep.equal([
      'required headers[1].value',
    ]);
    expect(
      await issuesOf(set([{ name: 'X-Long' }, { name: 'X-Key', value: 'x'.repeat(100) }])),
    ).to.deep.equal(['too_long headers']);
    expect(await issuesOf(set([{ name: 'Host', value: 'x' }]))).to.deep.equal([
      'invalid_value headers[0].name',
    ]);
  });

  it('H300: a list that keeps all as it is changes nothing, and other options keep the headers', async () => {
    const { updatedAt } = await set([authorization, key]);
    expect(await set([{ name: 'Authorization' }, { name: 'X-Key' }])).to.deep.include({
      updatedAt,
    });
    await database.transact((tx) => setEndpointOptions(tx, account, id, { retrySchedule: 'fast' }));
    expect(await shown()).to.deep.include({ setAt: updatedAt, sent: true });
    expect(await sealedIn()).to.have.lengthOf(1);

    await set([{ ...authorization, value: 'other' }, { name: 'X-Key' }]);
    expect((await audited()).at(-1)).to.deep.equal({ field: 'headers' });
  });

  it('H302: a change of the origin deletes the values, names the headers, and waits for new ones', async () => {
    await set([authorization, key]);
    await move('https://shop.example/other');
    expect(await shown()).to.include({ sent: true });

    await move('https://shop.example:8443/other');
    expect(await shown()).to.deep.include({ names: ['Authorization', 'X-Key'], sent: false });
    expect(await sealedIn()).to.deep.equal([]);
    expect((await audited()).at(-1)).to.deep.equal({
      field: 'headers',
      from: 'Authorization, X-Key',
      to: null,
    });

    await move('https://shop.example/hook');
    expect(await shown()).to.include({ sent: false });
    expect(await issuesOf(set([{ name: 'X-Key' }]))).to.deep.equal(['required headers[0].value']);

    await set([key]);
    expect(await shown()).to.include({ sent: true });
    expect(await sealedIn()).to.deep.equal(sealedFor('https://shop.example', key));
  });

  it('H302: no value is kept that was set for another origin than that of the URL', async () => {
    await set([key]);
    await test.query(`update endpoint set url = 'https://other.example/' where id = $1`, [id]);
    expect(await shown()).to.include({ sent: false });
    expect(await issuesOf(set([{ name: 'X-Key' }]))).to.deep.equal(['required headers[0].value']);
  });

  it('H301: a claim brings the headers apart from the secrets, also a day after many rotations', async () => {
    await set([authorization]);
    for (let count = 0; count < 12; count += 1) {
      await database.transact((tx) => rotateSigningSecret(tx, account, id));
    }
    expect(await sealedIn()).to.have.lengthOf(1);
    await test.query(
      `update endpoint_secret set expires_at = expires_at - interval '1 day' where endpoint_id = $1`,
      [id],
    );

    const other = await create();
    await database.transact((tx) =>
      publishEvent(tx, account, { type: eventType, subject: 's', data: {} }),
    );
    const claims = await claimAll(database.read);
    const [claim, plain] = [id, other].map((each) =>
      claims.find(({ endpointId }) => endpointId === each),
    );
    const { sealer } = testRules();
    expect(claim?.secrets.map((secret) => sealer.open(secret, id).slice(0, 6))).to.eql(['whsec_']);
    expect(sealer.open(claim!.headers!, id)).to.include('gateway-zz1');
    expect(plain).to.deep.include({ headers: null });
    expect(plain?.secrets).to.have.lengthOf(1);
  });

  it('H301: a claim brings the headers a day after a process of 2.0.0 has rotated the signing secret', async () => {
    await set([authorization]);
    // It lets all secrets of the endpoint expire that do not yet, then adds one.
    await test.query(
      `update endpoint_secret set expires_at = now() - interval '1 minute' where endpoint_id = $1`,
      [id],
    );
    await database.transact((tx) => addSecret(tx, id, tx.now));
    await database.transact((tx) =>
      publishEvent(tx, account, { type: eventType, subject: 's', data: {} }),
    );

    const claim = (await claimAll(database.read)).find(({ endpointId }) => endpointId === id);
    expect(claim?.secrets).to.have.lengthOf(1);
    expect(testRules().sealer.open(claim!.headers!, id)).to.include('gateway-zz1');
  });

  it('H300: deleting the endpoint deletes the values', async () => {
    await set([authorization]);
    await database.transact((tx) => deleteEndpoint(tx, account, id));
    expect(await sealedIn()).to.deep.equal([]);
  });

  it('H303: keys rotate reseals headers, and counts them by key', async () => {
    await set([authorization]);
    const ring = [
      { id: 'k2', key: Buffer.alloc(32, 8) },
      { id: 'k1', key: Buffer.alloc(32, 7) },
    ];
    const rotated = await test.open({ rules: testRules({ sealer: new Sealer(ring) }) });
    const before = (await secretsByKey(rotated.read)).get('k1') ?? 0;
    const { resealed, closed } = await rotated.transact((tx) => resealSecrets(tx, 200, ''));
    expect(closed).to.deep.equal([]);
    expect(resealed).to.equal(before);
    expect((await secretsByKey(rotated.read)).get('k1')).to.equal(undefined);
    expect(await sealedIn()).to.deep.equal(sealedFor('https://shop.example', authorization));
  });

  it('H303: replacing what no key opens deletes such headers, and counts them as no signing secret', async () => {
    const other = await create();
    await set([authorization]);
    await set([key], other);
    await test.query(
      `update endpoint_secret set key_id = 'gone'
        where endpoint_id = $1 and kind = 'headers' or endpoint_id = $2 and kind = 'signing'`,
      [id, other],
    );

    const { closed } = await (
      await test.open({
        rules: testRules({ sealer: new Sealer([{ id: 'k3', key: Buffer.alloc(32) }]) }),
      })
    ).transact((tx) => resealSecrets(tx, 200, ''));
    expect(closed).to.include(
      `Cannot open the headers of ${id}: SECRET_KEY has no key gone, which sealed it.`,
    );

    const result = await database.transact((tx) => replaceLostSecrets(tx, account));
    expect(result.removed).to.equal(1);
    expect(result.replaced.map(({ endpoint }) => endpoint.id)).to.deep.equal([other]);
    expect(result.headers).to.deep.equal([{ endpointId: id, names: ['Authorization'] }]);
    expect(await shown()).to.include({ sent: false });
    expect(await shown(other)).to.include({ sent: true });
  });

  it('H303: erasing a buyer removes the headers whose values have the address, and no others', async () => {
    const email = 'kim.zz3@buyer.example';
    await set([authorization, { name: 'X-Buyer', value: `for ${email.toUpperCase()}` }]);
    const other = await create();
    await set([{ name: 'X-Only', value: 'kim.zz3%40buyer.example' }], other);
    const untouched = await create();
    await set([{ name: 'X-Like', value: `a-${email}` }], untouched);

    const { id: erasure } = await database.transact((tx) =>
      startBuyerErasure(tx, { account, email }, 'command'),
    );
    await runErasure(database, erasure);

    expect((await shown())?.names).to.deep.equal(['Authorization']);
    expect(await sealedIn()).to.deep.equal(sealedFor('https://shop.example', authorization));
    expect(await shown(other)).to.equal(null);
    expect(await sealedIn(other)).to.deep.equal([]);
    expect((await shown(untouched))?.names).to.deep.equal(['X-Like']);
    expect((await getEndpoint(database.read, account, id)).active).to.equal(true);
  });

  it('H303: erasing a buyer waits while no key opens the headers of an endpoint', async () => {
    await set([authorization]);
    await test.query(`update endpoint_secret set key_id = 'gone' where endpoint_id = $1`, [id]);
    const { id: erasure } = await database.transact((tx) =>
      startBuyerErasure(tx, { account, email: 'a@b.example' }, 'command'),
    );
    const failure = await runErasure(database, erasure).catch((error: unknown) => error);
    expect(String(failure)).to.equal(
      `Error: Cannot open the headers of ${id}: SECRET_KEY has no key gone, which sealed it.`,
    );
  });
});
