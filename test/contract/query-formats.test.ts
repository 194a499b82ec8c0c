import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect } from 'chai';
import { contract } from '../../src/http/rest/contract.js';

describe('the parameters of lists in schema/openapi.yaml', () => {
  it('have a format or values wherever their form is refused', () => {
    const free = Object.entries(contract).flatMap(([id, { query }]) =>
      (query ?? [])
        .filter(({ schema }) => 'type' in schema && schema.type === 'string')
        .filter(({ schema }) => !['enum', 'format', 'anyOf'].some((name) => name in schema))
        .map(({ name }) => `${id} ${name}`),
    );
    expect(free).to.deep.equal([
      'webhooks.endpoints.list cursor',
      'webhooks.deliveries.list cursor',
    ]);
  });

  it('describe the filters of payments as the API validates them', () => {
    const ajv = new Ajv2020();
    formats.default(ajv);

    const taken = (name: string, text: string) => {
      const parameter = contract['commerce.payments.list'].query?.find(
        (each) => each.name === name,
      );
      return ajv.validate(parameter?.schema ?? false, text);
    };

    for (const name of ['created_from', 'created_to', 'cash_flow_from', 'cash_flow_to']) {
      for (const text of ['2026-01-31', '2026-01-31T10:00:00Z', '2026-01-31T10:00:00.5+01:00']) {
        expect(taken(name, text), `${name} ${text}`).to.equal(true);
      }
      for (const text of ['2026-02-30', 'now', '1767225600', '2026-01-01T10:00:00']) {
        expect(taken(name, text), `${name} ${text}`).to.equal(false);
      }
    }

    expect(taken('buyer_email', 'ada@example.com')).to.equal(true);
    expect(taken('buyer_email', 'nobody')).to.equal(false);
  });
});
