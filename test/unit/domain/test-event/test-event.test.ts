import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import formats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { sampleData } from '../../../../src/domain/test-event/test-event.js';
import { repositoryRoot } from '../../../support/repository.js';

const folder = join(repositoryRoot, 'schema', 'events');

describe('sampleData', () => {
  const ajv = new Ajv2020({ allErrors: true });
  formats.default(ajv);

  for (const file of readdirSync(folder)) {
    const type = file.replace(/\.v1\.json$/, '');

    it(`H68: makes data that looks like that of ${type}`, () => {
      const schema = JSON.parse(readFileSync(join(folder, file), 'utf8')) as object;
      const data = sampleData(type, new Date('2026-11-20T12:00:00Z'));
      const valid = ajv.validate(schema, JSON.parse(JSON.stringify(data)));
      expect(ajv.errors).to.equal(null);
      expect(valid).to.equal(true);
    });
  }

  it('H68: keeps the distance between its other times and that of the event', () => {
    const data = sampleData('offer.sent', new Date('2026-11-20T09:30:00.000Z'));
    expect(data).to.have.nested.property('offer.created_at', '2026-11-20T09:30:00.000Z');
    expect(data).to.have.nested.property('offer.expires_at', '2026-12-20T09:30:00.000Z');
  });

  it('returns nothing for a type without an example', () => {
    expect(sampleData('payment.dispute.won', new Date(0))).to.equal(undefined);
  });
});
