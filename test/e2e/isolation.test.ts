import { expect } from 'chai';
import { contract } from '../../src/http/rest/contract.js';
import {
  deliveriesPath,
  dataOf,
  endpointsPath,
  type Envelope,
  type List,
  listDeliveries,
  toProblem,
  refusalsOf,
} from '../support/endpoints.js';
import {
  call,
  makeSubjects,
  publicOperations,
  type Subjects,
  unknownSubjects,
} from '../support/every-operation.js';
import { startReceiver, type Receiver } from '../support/receiver.js';
import type { Ask, Reply } from '../support/rest-client.js';
import { sharedService, type Service } from '../support/service.js';
import { callGraphql, createTenant, type GraphqlRefusal, type Tenant } from '../support/tenants.js';

describe('the objects of another account', () => {
  let service: Service;
  let receiver: Receiver;
  let mine: Tenant;
  let theirs: Tenant;
  let subjects: Subjects;

  before(async () => {
    service = await sharedService();
    receiver = await startReceiver();
    mine = await createTenant(service);
    theirs = await createTenant(service);
    subjects = await makeSubjects(theirs, receiver);
  });

  after(() => receiver.close());

  /** What a client sees of a reply, except for what differs each time. */
  function seen({ status, headers, text, body }: Reply): object {
    const { request_id: requestId = '' } = (body ?? {}) as { request_id?: string };
    const same = Object.entries(headers).filter(
      ([name]) => !['date', 'x-request-id', 'ratelimit'].includes(name),
    );
    return { status, headers: Object.fromEntries(same), text: text.replace(requestId, 'req') };
  }

  it('the test covers every operation of the contract', () => {
    expect(publicOperations.map(({ id }) => id)).to.have.members(Object.keys(contract));
  });

  for (const operation of publicOperations.filter(({ subject }) => subject)) {
    it(`H91, H39: ${operation.id} answers a foreign object exactly like one that does not exist`, async () => {
      const malformed: Ask[] = [{}];
      if (operation.body) malformed.push({ body: { url: 7, reason: 'red', colour: 'red' } });
      for (const ask of malformed) {
        const foreign = await call(mine.rest, operation, subjects, ask);
        const unknown = await call(mine.rest, operation, unknownSubjects, ask);
        expect(toProblem(foreign, 404).code).to.equal('not_found');
        expect(seen(foreign)).to.deep.equal(seen(unknown));
      }
    });
  }

  it('H91: answers alike to ids of another kind, shape or length', async () => {
    const ids = [
      'whs_1',
      `whs_${'0'.repeat(200)}`,
      'whd_0000000000000000000000AB',
      'x',
      '%F0%9F%8E%89',
    ];

    for (const operation of publicOperations.filter(({ subject }) => subject)) {
      const usual = seen(await call(mine.rest, operation));
      for (const id of ids) {
        const named = Object.keys(unknownSubjects).map((kind) => [kind, id]);
        const odd = await call(mine.rest, operation, Object.fromEntries(named) as Subjects);
        expect(seen(odd), `${operation.id} ${id}`).to.deep.equal(usual);
      }
    }
  });

  it('H91: a foreign request changes no object', async () => {
    const { url } = (
      (await theirs.rest.get(`${endpointsPath}/${subjects.endpoint}`)).body as Envelope<{
        url: string;
      }>
    ).data;
    expect(url).to.equal(receiver.url());
    expect(await listDeliveries(theirs.rest)).to.have.lengthOf(1);
    expect(receiver.requests).to.have.lengthOf(1);
  });

  it('H39: lists show nothing of another account', async () => {
    for (const path of [endpointsPath, deliveriesPath]) {
      const their = (await theirs.rest.get(path)).body as List<unknown>;
      expect(their.data, path).not.to.have.lengthOf(0);
      for (const query of ['', '?limit=100']) {
        const { body } = await mine.rest.get(path + query);
        expect(body, path + query).to.deep.equal({ data: [], page: { has_more: false } });
      }
    }

    for (const path of ['orders', 'payments', 'refunds', 'invoices']) {
      const their = await theirs.rest.get(`/v1/commerce/${path}`);
      expect(dataOf<unknown[]>(their, 200), path).not.to.have.lengthOf(0);
      expect(dataOf(await mine.rest.get(`/v1/commerce/${path}`), 200), path).to.deep.equal([]);
    }
  });

  it('H36, H39: refuses a cursor of another account', async () => {
    const { body } = await theirs.rest.get(`${endpointsPath}?limit=1`);
    const { next_cursor: cursor } = (body as List<unknown>).page;
    expect((await theirs.rest.get(`${endpointsPath}?cursor=${cursor}`)).status).to.equal(200);
    const refused = await mine.rest.get(`${endpointsPath}?cursor=${cursor}`);
    expect(refusalsOf(refused)).to.deep.equal(['cursor: invalid_cursor']);
  });

  it('/graphql finds nothing of another account with a dashboard token', async () => {
    const { token } = await mine.credential({ kind: 'dashboard' });
    const refusal = (query: string, id: string) =>
      callGraphql(service, token, query, { id }).then(
        () => expect.fail(`${query} answered`),
        (error: unknown) => {
          const { status, code, message, extensions } = error as GraphqlRefusal;
          return { status, code, message, extensions };
        },
      );

    const documents: [keyof Subjects, string][] = [
      ['endpoint', 'query ($id: ID!) { webhookEndpoint(id: $id) { id } }'],
      ['endpoint', 'mutation ($id: ID!) { updateWebhookEndpoint(id: $id, input: {}) { id } }'],
      [
        'endpoint',
        'mutation ($id: ID!) { replaceEventSubscriptions(id: $id, eventTypes: ["x"]) { id } }',
      ],
      ['endpoint', 'mutation ($id: ID!) { rotateSigningSecret(id: $id) { id } }'],
      ['endpoint', 'mutation ($id: ID!) { deleteWebhookEndpoint(id: $id) }'],
      ['delivery', 'query ($id: ID!) { webhookDelivery(id: $id) { id } }'],
      ['delivery', 'mutation ($id: ID!) { replayDelivery(id: $id) { id } }'],
      ['checkout', 'query ($id: ID!) { checkout(id: $id) { id } }'],
      ['order', 'query ($id: ID!) { order(id: $id) { id } }'],
      ['payment', 'query ($id: ID!) { payment(id: $id) { id } }'],
      ['payment', 'mutation ($id: ID!) { refundPayment(id: $id, input: {}) { id } }'],
      ['refund', 'query ($id: ID!) { refund(id: $id) { id } }'],
      ['invoice', 'query ($id: ID!) { invoice(id: $id) { id } }'],
      ['offer', 'query ($id: ID!) { offer(id: $id) { id } }'],
      ['offer', 'mutation ($id: ID!) { sendOffer(id: $id) { id } }'],
      ['offer', 'mutation ($id: ID!) { resendOffer(id: $id) { id } }'],
      ['offer', 'mutation ($id: ID!) { cancelOffer(id: $id) { id } }'],
    ];
    for (const [kind, query] of documents) {
      const foreign = await refusal(query, subjects[kind]);
      expect(foreign.code, query).to.equal('not_found');
      expect(foreign).to.deep.equal(await refusal(query, unknownSubjects[kind]));
    }
  });
});
