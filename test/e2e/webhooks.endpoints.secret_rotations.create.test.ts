import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import {
  comparable,
  createEndpoint,
  dataOf,
  endpointsPath,
  type EndpointBody,
  toProblem,
} from '../support/endpoints.js';
import {
  eachSignature,
  type ReceivedRequest,
  type Receiver,
  startReceiver,
  verify,
} from '../support/receiver.js';
import type { RestClient } from '../support/rest-client.js';
import { type Service, sharedService } from '../support/service.js';
import { createTenant, type Tenant } from '../support/tenants.js';

type WithSecret = EndpointBody & { readonly signing_secret: string };

describe('webhooks.endpoints.secret_rotations.create', () => {
  let service: Service;
  let tenant: Tenant;
  let rest: RestClient;
  let receiver: Receiver;

  before(async () => {
    service = await sharedService();
    tenant = await createTenant(service);
    ({ rest } = tenant);
    receiver = await startReceiver();
  });

  after(() => receiver.close());

  const rotate = (id: string, ask = {}) =>
    rest.post(`${endpointsPath}/${id}/secret-rotations`, undefined, ask);

  async function delivered(): Promise<ReceivedRequest> {
    const event = await tenant.publish({});
    return receiver.next(({ headers }) => headers['x-service-event-id'] === event);
  }

  /** Which of `secrets` made each signature, in the order of both headers; -1 for none. */
  function secretsThatSign(request: ReceivedRequest, secrets: readonly string[]): number[] {
    return eachSignature(request).map((alone) =>
      secrets.findIndex((secret) => {
        const { service: ours, standard } = verify(alone, secret);
        expect(ours).to.equal(standard);
        return ours;
      }),
    );
  }

  it('H23, A14: answers 200 with the endpoint and another secret', async () => {
    const { signing_secret: first, ...created } = await createEndpoint(rest);
    const rotated = dataOf<WithSecret>(await rotate(created.id), 200);
    expect(rotated.signing_secret).to.match(/^whsec_[0-9A-Za-z]{44}$/);
    expect(rotated.signing_secret).not.to.equal(first);
    expect(rotated).to.deep.equal({
      ...created,
      signing_secret: rotated.signing_secret,
      updated_at: rotated.updated_at,
    });
  });

  it('H10: moves updated_at', async () => {
    const created = await createEndpoint(rest);
    const rotated = dataOf<WithSecret>(await rotate(created.id), 200);
    expect(rotated.updated_at > created.updated_at).to.equal(true);
  });

  it('H24, A36: older secrets sign along, newest first, each until its 24 hours are over', async () => {
    const created = await createEndpoint(rest, { url: receiver.url('/rotated') });
    const second = dataOf<WithSecret>(await rotate(created.id), 200);
    const third = dataOf<WithSecret>(await rotate(created.id), 200);
    const secrets = [third, second, created].map((endpoint) => endpoint.signing_secret);
    expect(secretsThatSign(await delivered(), secrets)).to.deep.equal([0, 1, 2]);

    await service.database.query(
      `update endpoint_secret set expires_at = now() - interval '1 second'
        where id = (select min(id) from endpoint_secret where endpoint_id = $1)`,
      [created.id],
    );

    expect(secretsThatSign(await delivered(), secrets)).to.deep.equal([0, 1]);

    const rows = await service.database.query<{ hours: number }>(
      `select round(extract(epoch from expires_at - now()) / 3600)::int as hours
         from endpoint_secret where endpoint_id = $1 and expires_at > now()`,
      [created.id],
    );

    expect(rows).to.deep.equal([{ hours: 24 }]);
    await rest.delete(`${endpointsPath}/${created.id}`);
  });

  it('H24: the newest and ten older secrets sign in both headers, no more', async () => {
    const created = await createEndpoint(rest, { url: receiver.url('/often') });
    const secrets = [created.signing_secret];
    for (let n = 0; n < 11; n += 1) {
      secrets.unshift(dataOf<WithSecret>(await rotate(created.id), 200).signing_secret);
    }
    const request = await delivered();
    expect(secretsThatSign(request, secrets)).to.deep.equal([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    for (const secret of secrets.slice(0, 11)) {
      expect(verify(request, secret)).to.deep.equal({ service: true, standard: true });
    }
    expect(verify(request, created.signing_secret).service).to.equal(false);
    await rest.delete(`${endpointsPath}/${created.id}`);
  });

  it('H25: rotates the secret of an inactive endpoint', async () => {
    const { id } = await createEndpoint(rest, { active: false });
    const rotated = dataOf<WithSecret>(await rotate(id), 200);
    expect(rotated.active).to.equal(false);
  });

  it('H43, A35: the same key gets the same body without the secret', async () => {
    const { id } = await createEndpoint(rest);
    const key = randomUUID();
    const first = await rotate(id, { key });
    const again = await rotate(id, { key });
    expect(again.headers['idempotent-replayed']).to.equal('true');

    const { signing_secret: secret, ...body } = dataOf<WithSecret>(first, 200);
    expect(dataOf(again, 200)).to.deep.equal(body);
    expect(again.text).not.to.include('signing_secret');

    const stored = await service.database.query<{ body: string }>(
      'select body from idempotency_record where account_id = $1 and key = $2',
      [tenant.account, key],
    );

    expect(stored).to.have.lengthOf(1);
    expect(stored[0]?.body).not.to.include(secret.slice(6));
  });

  it('H26, A46: ignores a body', async () => {
    const { id } = await createEndpoint(rest);
    const path = `${endpointsPath}/${id}/secret-rotations`;
    expect((await rest.send('POST', path, { bytes: '{"a":' })).status).to.equal(200);
  });

  it('answers alike to an unknown id and to one of another account', async () => {
    const stranger = await createTenant(service);
    const { id } = await createEndpoint(stranger.rest);
    const foreign = toProblem(await rotate(id), 404);
    expect(comparable(foreign)).to.deep.equal(
      comparable(toProblem(await rotate('whs_unknown'), 404)),
    );
  });
});
