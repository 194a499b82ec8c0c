import { expect } from 'chai';
import { createEndpoint } from '../../../src/domain/endpoint/change-endpoint.js';
import { compileOperation } from '../../../src/graphql/execute.js';
import { buildSchema } from '../../../src/graphql/schema.js';
import { statementsOf } from '../../support/statements.js';
import {
  createFixture,
  endpointInput,
  type Fixture,
  checkoutInput,
  offerInput,
  operationDocuments,
} from './fixture.js';
import type { Viewer } from '../../../src/domain/account/credentials.js';
import { createCheckout } from '../../../src/domain/checkout/checkouts.js';
import { recordPayment } from '../../../src/domain/payment/record-payment.js';
import { refundPayment } from '../../../src/domain/payment/refunds.js';
import { createOffer } from '../../../src/domain/offer/offers.js';

const text = `query endpoints($limit: Int!) {
  webhookEndpoints(limit: $limit) {
    data { id summary { state lastSuccessAt lastFailureAt } } } }`;

describe('the list of endpoints on GraphQL', () => {
  let fixture: Fixture;

  before(async () => {
    fixture = await createFixture();
    for (let count = 0; count < 9; count += 1) {
      await fixture.database.transact((tx) => createEndpoint(tx, fixture.account, endpointInput));
    }
  });

  after(() => fixture.drop());

  it('reads the summaries of all endpoints of a page with one statement', async () => {
    const viewer = await fixture.viewer('dashboard', { role: 'viewer' });
    const operation = compileOperation<unknown, object>(buildSchema(), { text }, () => undefined);

    for (const limit of [1, 10]) {
      let answered = '';
      const statements = await statementsOf(async () => {
        const { data, errors } = await operation.run({ limit }, fixture.context(viewer));
        expect(errors).to.equal(undefined);
        answered = JSON.stringify(data);
      });

      expect(answered.match(/"state":/g)).to.have.lengthOf(limit);

      // The use of the credential is noted beside the operation.
      const sent = statements
        .map((statement) => statement.text)
        .filter((sql) => !/last_used_at/.test(sql));
      expect(sent).to.have.lengthOf(2);
    }
  });

  it('says of each endpoint whether it fails, and when it last did', async () => {
    const viewer = await fixture.viewer('dashboard', { role: 'viewer' });
    const operation = compileOperation<unknown, object>(buildSchema(), { text }, () => undefined);
    const { data } = await operation.run({ limit: 10 }, fixture.context(viewer));
    const { data: rows } = data?.['webhookEndpoints'] as {
      data: { id: string; summary: { state: string; lastFailureAt: Date | null } }[];
    };
    const failing = rows.filter(({ summary }) => summary.state === 'failing');
    expect(failing.map(({ id }) => id)).to.deep.equal([fixture.endpoint]);
    expect(failing[0]?.summary.lastFailureAt).not.to.equal(null);
    expect(rows.filter(({ summary }) => summary.state === 'healthy')).to.have.length(9);
  });
});

/** The one list that /v1 does not have. */
const offersText = `query offers($page: Int!, $per_page: Int!) {
  offers(page: $page, perPage: $per_page) { data { object status totals { currency } } } }`;

describe('the lists of commerce on GraphQL', () => {
  let fixture: Fixture;
  let viewer: Viewer;
  const schema = buildSchema();
  const documents = operationDocuments();

  before(async () => {
    fixture = await createFixture();
    viewer = await fixture.viewer('live');
    for (let count = 0; count < 9; count += 1) {
      await fixture.database.transact(async (tx) => {
        const { id } = await createCheckout(tx, fixture.account, checkoutInput);
        const { payment } = await recordPayment(tx, fixture.account, { checkout: id });
        await refundPayment(tx, fixture.account, payment.id, {});
        await createOffer(tx, fixture.account, offerInput);
      });
    }
  });

  after(() => fixture.drop());

  const counts = { orders: 4, payments: 2, refunds: 2, invoices: 2, offers: 3 } as const;
  for (const [list, wanted] of Object.entries(counts)) {
    it(`reads ${list} with ${wanted} statements, however many are on the page`, async () => {
      const text = documents.get(`commerce.${list}.list`) ?? offersText;
      const operation = compileOperation<unknown, object>(schema, { text }, () => undefined);

      for (const size of [1, 10]) {
        let answered = '';
        const statements = await statementsOf(async () => {
          const variables = { page: 1, per_page: size };
          const { data, errors } = await operation.run(variables, fixture.context(viewer));
          expect(errors).to.equal(undefined);
          answered = JSON.stringify(data);
        });

        expect(answered.match(/"object":/g)).to.have.lengthOf(size);
        expect(statements.map(({ text: sent }) => sent)).to.have.lengthOf(wanted);
      }
    });
  }
});
