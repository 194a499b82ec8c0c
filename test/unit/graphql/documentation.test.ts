import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse, validate } from 'graphql';
import { buildSchema } from '../../../src/graphql/schema.js';
import { operationLimits } from '../../../src/graphql/limits.js';
import { readmeText } from '../../support/documents.js';
import { repositoryRoot } from '../../support/repository.js';

const page = readFileSync(join(repositoryRoot, 'docs', 'internal-graphql.md'), 'utf8');

/** GraphQL blocks of the page, and the queries that README.md and docs/tour.md post. */
const examples = [
  ...[...page.matchAll(/```graphql\n(.*?)```/gs)].map(([, text = '']) => text),
  ...[...readmeText().matchAll(/-d '(\{"query":.*\})'/g)].map(
    ([, json = '']) => (JSON.parse(json) as { query: string }).query,
  ),
];

describe('the documentation of /graphql', () => {
  const schema = buildSchema();

  it('the schema accepts every example of the documentation', () => {
    expect(examples.length).to.be.greaterThan(4);
    for (const example of examples) {
      expect(validate(schema, parse(example)), example).to.deep.equal([]);
    }
  });

  it('the documentation states the limits of the code', () => {
    const { depth, aliases, directives, cost } = operationLimits;
    expect(page).to.match(new RegExp(`depth +\\| ${depth} `));
    expect(page).to.match(new RegExp(`aliases, directives +\\| ${aliases}, ${directives} `));
    expect(page).to.match(new RegExp(`cost +\\| ${cost.toLocaleString('en')} `));
  });
});
