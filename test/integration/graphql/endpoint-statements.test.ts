import { expect } from 'chai';
import { createEndpoint } from '../../../src/domain/endpoint/change-endpoint.js';
import { compileOperation } from '../../../src/graphql/execute.js';
import { buildSchema } from '../../../src/graphql/schema.js';
import { statementsOf } from '../../support/statements.js';
import { createFixture, endpointInput, type Fixture } from './fixture.js';

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
      const sent = statements.map((each) => each.text).filter((each) => !/last_used_at/.test(each));
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
