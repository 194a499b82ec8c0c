import { type Viewer, createCredential } from '../../../src/domain/account/credentials.js';
import { createAccount } from '../../../src/domain/account/accounts.js';
import type { KeyLevel, Level, Role } from '../../../src/domain/account/permission.js';
import type { CredentialKind } from '../../../src/domain/account/token.js';
import { createCheckout } from '../../../src/domain/checkout/checkouts.js';
import { recordPayment } from '../../../src/domain/payment/record-payment.js';
import { refundPayment } from '../../../src/domain/payment/refunds.js';
import { createOffer } from '../../../src/domain/offer/offers.js';
import { sendOffer } from '../../../src/domain/offer/change-offer.js';
import { readReplays } from '../../../src/domain/delivery/replay.js';
import { recordResults } from '../../../src/domain/delivery/recording.js';
import { createEndpoint } from '../../../src/domain/endpoint/change-endpoint.js';
import { publishEvent } from '../../../src/domain/event/publish.js';
import type { Outcome } from '../../../src/domain/delivery/outcome.js';
import type { Database, DatabaseOptions } from '../../../src/database/database.js';
import type { Context } from '../../../src/graphql/context.js';
import { documents } from '../../../src/http/rest/generated/operations.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { claimAll, end, outcomes } from '../../support/engine.js';
import { publisherOf } from '../../support/publisher.js';
import { viewerOf } from '../../support/refusal.js';
import { sampleOf } from '../../support/random.js';
import { pino } from 'pino';
import { type ErrorExtensions, toIssue } from '../../../src/http/graphql/errors.js';
import { buildSchema } from '../../../src/graphql/schema.js';
import { createGraphQLServer } from '../../../src/http/graphql/server.js';

/** A database with two accounts and one of everything, and contexts for any viewer. */
export interface Fixture {
  readonly test: TestDatabase;
  readonly database: Database;
  readonly account: string;
  readonly other: string;
  readonly endpoint: string;
  readonly delivery: string;
  /** Open; what was paid is another one. */
  readonly checkout: string;
  readonly order: string;
  /** Refunded in part. */
  readonly payment: string;
  readonly refund: string;
  readonly invoice: string;
  /** A draft; what was sent is another one. */
  readonly offer: string;
  readonly sentOffer: string;
  /** Issues a credential and says who holds it. */
  viewer(kind: CredentialKind, who?: Partial<Holder>): Promise<Viewer>;
  /** Issues a credential and returns its token. */
  token(kind: CredentialKind, who?: Partial<Holder>): Promise<string>;
  context(viewer: Viewer, changes?: Partial<Context>): Context;
  drop(): Promise<void>;
}

interface Holder {
  readonly account: string;
  readonly role: Role;
  readonly level: KeyLevel;
  readonly webhooks: Level;
  readonly orders: Level;
}

/** Arranges a {@link Fixture} in `test`; call `drop` in `after`. */
export async function createFixture(
  options: Partial<DatabaseOptions> = {},
  testDatabase = createTestDatabase(),
): Promise<Fixture> {
  const test = await testDatabase;
  const database = await test.open(options);
  const { read, transact } = database;
  const publisher = publisherOf(database);
  const account = (await transact((tx) => createAccount(tx, { name: 'Shop' }))).id;
  const other = (await transact((tx) => createAccount(tx, { name: 'Other' }))).id;
  const { endpoint } = await transact((tx) => createEndpoint(tx, account, endpointInput));
  const checkout = await transact((tx) => createCheckout(tx, account, checkoutInput));
  const { order, payment, invoice } = await transact(async (tx) => {
    const { id } = await createCheckout(tx, account, checkoutInput);
    return recordPayment(tx, account, { checkout: id });
  });

  const { refund } = await transact((tx) =>
    refundPayment(tx, account, payment.id, { amountMinorUnits: 7, reason: 'other', note: 'é' }),
  );
  const offer = await transact((tx) => createOffer(tx, account, offerInput));
  const sentOffer = await transact(async (tx) => {
    const { id } = await createOffer(tx, account, offerInput);
    return sendOffer(tx, account, id);
  });

  // Long enough ago to be sent again.
  await test.query(`update offer set updated_at = updated_at - interval '1 minute'`);
  await transact((tx) => publishEvent(tx, account, event));
  await attempt(database, outcomes.down);

  const [delivery] = await test.query<{ id: string }>('select id from delivery');
  const token = async (kind: CredentialKind, who: Partial<Holder> = {}) =>
    (await transact((tx) => createCredential(tx, { account, kind, ...who }))).token;
  return {
    test,
    database,
    account,
    other,
    endpoint: endpoint.id,
    delivery: delivery?.id ?? '',
    checkout: checkout.id,
    order: order.id,
    payment: payment.id,
    refund: refund.id,
    invoice: invoice.id,
    offer: offer.id,
    sentOffer: sentOffer.id,
    token,
    viewer: async (kind, who) => {
      const viewer = await viewerOf(read, await token(kind, who));
      if (typeof viewer === 'string') throw new Error(viewer);
      return viewer;
    },
    context: (viewer, changes = {}) => ({
      viewer,
      read,
      transact,
      publish: (requests) => publisher.publish(requests),
      publishAtomically: (requests) => publisher.publishAtomically(transact, requests),
      schemas: () => publisher.schemas,
      waitForReplay: (pendingDeliveryId) => waitForReplay(database, pendingDeliveryId),
      rateLimited: (_policy, work) => work(),
      report: (error) => {
        throw error;
      },
      toIssue,
      transport: 'graphql',
      ...changes,
    }),
    drop: () => test.drop(),
  };
}

/** The input of the fixture's endpoint. */
export const endpointInput = {
  url: 'https://shop.example/hook',
  eventTypes: ['cart.order.completed'],
  notificationEmail: 'ops@shop.example',
};

/** The input of the fixture's checkout. */
export const checkoutInput = {
  successUrl: 'https://shop.example/thanks',
  currency: 'EUR',
  lineItems: [{ name: 'Tea', quantity: 2, unitAmountMinorUnits: 3_000_000_000 }],
  metadata: { '7': 1, b: [true, null, { c: 'é' }], a: '' },
  buyerEmail: 'buyer@example.com',
};

/** The input of the fixture's offers. */
export const offerInput = {
  recipientEmail: 'buyer@example.com',
  title: 'Tea for two',
  currency: 'EUR',
  lineItems: [{ name: 'Tea', quantity: 2, unitAmountMinorUnits: 300 }],
  expiresAt: null,
};

/** The event of the fixture's delivery. */
export const event = {
  type: 'cart.order.completed',
  subject: 'order:ord_1',
  data: sampleOf('cart.order.completed', { metadata: {} }),
};

/** Makes one attempt of everything that is due, as a worker does, and ends it with `outcome`. */
export async function attempt(
  database: Database,
  outcome: Outcome,
  lane: 'live' | 'replay' = 'live',
): Promise<void> {
  const claims = await claimAll(database.read, { lane });
  await database.transact((tx) =>
    recordResults(
      tx,
      claims.map((claim) => end(claim, outcome)),
    ),
  );
}

async function waitForReplay(database: Database, pendingDeliveryId: string) {
  await attempt(database, outcomes.ok, 'replay');
  const state = (await readReplays(database.read, [pendingDeliveryId])).get(pendingDeliveryId);
  if (!state) throw new Error('the replay has not settled');
  return state;
}

/** The text of every operation of `/v1` by its operationId. */
export function operationDocuments(): Map<string, string> {
  return new Map(Object.entries(documents).map(([id, { text }]) => [id, text]));
}

/** What an operation answers: an object for each root field. */
export type Data = Record<string, Record<string, unknown>>;

/** Runs operations as Apollo does, for the viewers of a fixture. */
export class Client {
  readonly #fixture: Fixture;
  readonly #apollo = createGraphQLServer(buildSchema(), pino({ level: 'silent' }));

  constructor(fixture: Fixture) {
    this.#fixture = fixture;
  }

  async start(): Promise<void> {
    await this.#apollo.start();
  }

  async stop(): Promise<void> {
    await this.#apollo.stop();
  }

  /** The answer and its first refusal, whichever there is. */
  async run(viewer: Viewer, query: string, variables = {}, changes: Partial<Context> = {}) {
    const contextValue = this.#fixture.context(viewer, changes);
    const { body } = await this.#apollo.executeOperation<Data>(
      { query, variables },
      { contextValue },
    );
    if (body.kind !== 'single') throw new Error('the answer came in parts');
    const { data, errors } = body.singleResult;
    return { data, refusal: errors?.[0]?.extensions as unknown as ErrorExtensions | undefined };
  }

  /** The answer of an operation that is not refused. */
  async answer(viewer: Viewer, query: string, variables = {}): Promise<Data> {
    const { data, refusal } = await this.run(viewer, query, variables);
    if (!data || refusal) throw new Error(`it was refused: ${JSON.stringify(refusal)}`);
    return data;
  }

  /** The refusal of an operation that must not succeed. */
  async refusal(viewer: Viewer, query: string, variables = {}): Promise<ErrorExtensions> {
    const { refusal } = await this.run(viewer, query, variables);
    if (!refusal) throw new Error('it was not refused');
    return refusal;
  }
}

/** An identifier of the same kind that names nothing. */
export const unknown = (id: string) => `${id.slice(0, 4)}${'0'.repeat(24)}`;

export const endpointQuery =
  'query q($id: ID!, $account: ID) { webhookEndpoint(id: $id, account: $account) { id url } }';
export const createEndpointMutation = `mutation m($input: CreateWebhookEndpointInput!, $account: ID) {
  createWebhookEndpoint(input: $input, account: $account) { id notificationEmail signingSecret } }`;
export const updateEndpointMutation = `mutation m($id: ID!, $input: UpdateWebhookEndpointInput!) {
  updateWebhookEndpoint(id: $id, input: $input) { id notificationEmail description } }`;
export const publishMutation = `mutation m($input: PublishEventInput!) { publishEvent(input: $input) { id created } }`;
