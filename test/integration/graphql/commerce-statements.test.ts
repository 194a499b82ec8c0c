import { expect } from 'chai';
import type { Viewer } from '../../../src/domain/account/credentials.js';
import { createCheckout } from '../../../src/domain/checkout/checkouts.js';
import { recordPayment } from '../../../src/domain/payment/record-payment.js';
import { refundPayment } from '../../../src/domain/payment/refunds.js';
import { createOffer } from '../../../src/domain/offer/offers.js';
import { compileOperation } from '../../../src/graphql/execute.js';
import { buildSchema } from '../../../src/graphql/schema.js';
import { statementsOf } from '../../support/statements.js';
import {
  createFixture,
  checkoutInput,
  offerInput,
  operationDocuments,
  type Fixture,
} from './fixture.js';

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
    it(`read ${list} with ${wanted} statements, however many stand on the page`, async () => {
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
