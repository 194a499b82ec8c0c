import type { ApolloServer } from '@apollo/server';
import { expect } from 'chai';
import type { ExecutionResult, FormattedExecutionResult } from 'graphql';
import { pino } from 'pino';
import type { Viewer } from '../../../src/domain/account/credentials.js';
import { getDelivery } from '../../../src/domain/delivery/deliveries.js';
import type { Tx } from '../../../src/domain/transaction/tx.js';
import type { Context } from '../../../src/graphql/context.js';
import { createFormatError } from '../../../src/http/graphql/errors.js';
import { compileOperation } from '../../../src/graphql/execute.js';
import { buildSchema } from '../../../src/graphql/schema.js';
import { createGraphQLServer } from '../../../src/http/graphql/server.js';
import { type PublicOperation, publicOperations } from '../../support/every-operation.js';
import {
  createFixture,
  endpointInput,
  offerInput,
  operationDocuments,
  type Fixture,
} from './fixture.js';

type Variables = Record<string, unknown>;
type Case = readonly [name: string, variables: (fixture: Fixture) => Variables, viewer?: 'weak'];

const unknown = 'whs_000000000000000000000000';
const listCases: readonly Case[] = [
  ['a page', () => ({ limit: 1 })],
  ['a filter and nulls', () => ({ limit: 20, cursor: null, status: null })],
  ['a limit out of range', () => ({ limit: 101 })],
  ['a bad cursor', () => ({ limit: 20, cursor: 'x' })],
  ['a wrong enum', () => ({ limit: 20, status: 'gone' })],
  ['a limit that is no integer', () => ({ limit: 1.5 })],
  ['no permission', () => ({ limit: 20 }), 'weak'],
];
const numberedCases: readonly Case[] = [
  ['a page', () => ({ page: 1, per_page: 1 })],
  ['a page beyond the last', () => ({ page: 2 ** 31 - 1, per_page: 2 ** 31 - 1 })],
  ['a page below the first', () => ({ page: 0, per_page: -1 })],
  ['a page that no Int holds', () => ({ page: 2 ** 31, per_page: 1 })],
  ['no permission', () => ({ page: 1, per_page: 1 }), 'weak'],
];
const idCases = (id: (fixture: Fixture) => string): readonly Case[] => [
  ['a known id', (fixture) => ({ id: id(fixture) })],
  ['an unknown id', () => ({ id: unknown })],
  ['an id of the wrong type', () => ({ id: {} })],
  ['no id', () => ({})],
  ['a null id', () => ({ id: null })],
  ['no permission', (fixture) => ({ id: id(fixture) }), 'weak'],
];
/** The cases of operations that take more than an id or a page. */
const ownCases: Readonly<Record<string, readonly Case[]>> = {
  'webhooks.endpoints.create': [
    ['a full input', () => ({ input: { ...endpointInput, active: false, description: 'd' } })],
    ['nulls', () => ({ input: { ...endpointInput, description: null } })],
    ['undefined members', () => ({ input: { ...endpointInput, description: undefined } })],
    ['several refusals', () => ({ input: { ...endpointInput, url: 'http://x', eventTypes: [] } })],
    ['a missing member', () => ({ input: { url: endpointInput.url } })],
    ['an unknown member', () => ({ input: { ...endpointInput, id: 'x' } })],
    ['a null in a list', () => ({ input: { ...endpointInput, eventTypes: [null] } })],
    ['no permission', () => ({ input: endpointInput }), 'weak'],
  ],
  'webhooks.endpoints.list': [
    ...listCases,
    ['another filter', () => ({ limit: 5, status: 'inactive' })],
  ],
  'webhooks.endpoints.update': [
    ['a change', ({ endpoint }) => ({ id: endpoint, input: { url: 'https://b.example/' } })],
    ['a null that may be', ({ endpoint }) => ({ id: endpoint, input: { description: null } })],
    ['a null that may not be', ({ endpoint }) => ({ id: endpoint, input: { url: null } })],
    ['undefined members', ({ endpoint }) => ({ id: endpoint, input: { url: undefined } })],
    ['nothing', ({ endpoint }) => ({ id: endpoint, input: {} })],
    ['a wrong type', ({ endpoint }) => ({ id: endpoint, input: { active: 'yes' } })],
    ['an unknown id', () => ({ id: unknown, input: {} })],
  ],
  'webhooks.endpoints.event_subscriptions.update': [
    ['a type', ({ endpoint }) => ({ id: endpoint, eventTypes: ['payment.sale.succeeded'] })],
    ['a single item', ({ endpoint }) => ({ id: endpoint, eventTypes: 'cart.order.completed' })],
    ['refused types', ({ endpoint }) => ({ id: endpoint, eventTypes: ['order.completed', 'x'] })],
    ['nothing', ({ endpoint }) => ({ id: endpoint, eventTypes: [] })],
  ],
  'webhooks.deliveries.list': [...listCases, ['a filter', () => ({ limit: 5, status: 'failed' })]],
  'webhooks.event_types.list': [
    ['nothing', () => ({})],
    ['no permission', () => ({}), 'weak'],
  ],
  'commerce.payments.list': [
    ...numberedCases,
    [
      'a filter',
      () => ({ page: 1, per_page: 5, created_from: '2026-01-01', buyer_email: 'a@b.c' }),
    ],
    ['a bad filter', () => ({ page: 1, per_page: 5, cash_flow_from: 'x', buyer_email: '' })],
  ],
  'commerce.payments.refunds.create': [
    ['everything', ({ payment }) => ({ id: payment, input: {} })],
    ['a part', ({ payment }) => ({ id: payment, input: { amountMinorUnits: 5, note: null } })],
    ['too much', ({ payment }) => ({ id: payment, input: { amountMinorUnits: 2 ** 50 } })],
    ['half a cent', ({ payment }) => ({ id: payment, input: { amountMinorUnits: 0.5 } })],
    ['another reason', ({ payment }) => ({ id: payment, input: { reason: 'whim' } })],
    ['an unknown id', () => ({ id: unknown, input: {} })],
    ['no permission', ({ payment }) => ({ id: payment, input: {} }), 'weak'],
  ],
  'commerce.offers.create': [
    ['what is needed', () => ({ input: offerInput })],
    ['everything', () => ({ input: { ...offerInput, message: 'é', metadata: { b: 1, a: [] } } })],
    ['nulls', () => ({ input: { ...offerInput, message: null, shippingMinorUnits: null } })],
    ['several refusals', () => ({ input: { ...offerInput, title: '', currency: 'x' } })],
    ['a missing member', () => ({ input: { title: 'x' } })],
    ['no list', () => ({ input: { ...offerInput, lineItems: [{ name: 'x' }] } })],
    ['no permission', () => ({ input: offerInput }), 'weak'],
  ],
  'commerce.offers.resend': [
    ...idCases(({ sentOffer }) => sentOffer),
    ['a draft', ({ offer }) => ({ id: offer })],
  ],
};

const cases = new Map(publicOperations.map((operation) => [operation.id, casesOf(operation)]));

function casesOf({ id, subject, list }: PublicOperation): readonly Case[] {
  const own = ownCases[id];
  if (own) return own;
  if (subject) return idCases((fixture) => fixture[subject]);
  if (list === 'by number') return numberedCases;
  throw new Error(`${id} needs cases`);
}

describe('the compiled operations', () => {
  let fixture: Fixture;
  let apollo: ApolloServer<Context>;
  const viewers = {} as { full: Viewer; weak: Viewer };
  const reports: unknown[] = [];
  const format = createFormatError(
    (error) => reports.push(error),
    () => undefined,
  );

  const schema = buildSchema();
  const documents = operationDocuments();

  before(async () => {
    fixture = await createFixture();
    apollo = createGraphQLServer(schema, pino({ level: 'silent' }));
    await apollo.start();
    viewers.full = await fixture.viewer('live');
    viewers.weak = await fixture.viewer('dashboard', { role: 'accountant' });
    viewers.weak = { ...viewers.weak, permissions: { webhooks: 'none', orders: 'none' } };
  });

  after(async () => {
    await apollo.stop();
    await fixture.drop();
  });

  it('every operation has cases', () => {
    expect([...cases.keys()].sort()).to.deep.equal([...documents.keys()].sort());
  });

  for (const [id, text] of documents) {
    const operation = compileOperation<unknown, Variables>(schema, { text }, (name, why) => {
      throw new Error(`${name} is not compiled: ${why}`);
    });

    for (const [name, variablesOf, who = 'full'] of cases.get(id) ?? []) {
      it(`${id} answers ${name} as Apollo does`, async () => {
        const variables = variablesOf(fixture);
        const expected = await throughApollo(text, variables, contextOf(viewers[who]));
        const answer = await operation.run(variables, contextOf(viewers[who]));
        expect(comparable(formatted(answer))).to.deep.equal(comparable(expected));
        expect(reports).to.deep.equal([]);
      });
    }
  }

  /** Mutations happen in a transaction that is undone, so that both ways start from the same. */
  function contextOf(viewer: Viewer): Context {
    return fixture.context(viewer, {
      transport: 'rest',
      transact: undone,
      waitForReplay: async () => {
        const delivery = await getDelivery(
          fixture.database.read,
          fixture.account,
          fixture.delivery,
        );
        return { kind: 'recorded', delivery };
      },
    });
  }

  async function undone<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const kept: { result?: T } = {};
    const undo = new Error('undo');
    await fixture.database
      .transact(async (tx) => {
        kept.result = await work(tx);
        throw undo;
      })
      .catch((error: unknown) => {
        if (error !== undo) throw error;
      });
    return kept.result as T;
  }

  async function throughApollo(query: string, variables: Variables, contextValue: Context) {
    const { body } = await apollo.executeOperation({ query, variables }, { contextValue });
    if (body.kind !== 'single') throw new Error('the answer came in parts');
    return body.singleResult;
  }

  function formatted({ data, errors }: ExecutionResult): FormattedExecutionResult {
    const all = errors?.map((error) => {
      const { message, locations, path, extensions } = error.toJSON();
      const code = extensions?.['code'] ?? 'INTERNAL_SERVER_ERROR';
      return format(
        { message, ...(locations && { locations }), ...(path && { path }), extensions: { code } },
        error,
      );
    });
    return { ...(data !== undefined && { data }), ...(all && { errors: all }) };
  }
});

/** Leaves out values that differ in each run; the order of members counts. */
function comparable(result: FormattedExecutionResult): string {
  const { data, errors } = result;
  return JSON.stringify({ data, errors }, undefined, 1)
    .replace(/whsec_[A-Za-z0-9]{44}/g, '<secret>')
    .replace(/"id": "(?:whs|rfd|off|prod)_[A-Za-z0-9]{24}"/g, '"id": "<id>"')
    .replace(/\/offer\/off_[A-Za-z0-9]{24}/g, '/offer/<id>')
    .replace(
      /"(created|updated|cash_flow|sent|cancelled|expires)_at": "[^"]+"/g,
      '"$1_at": "<time>"',
    );
}
