import { pino } from 'pino';
import type { Viewer } from '../../../src/domain/account/credentials.js';
import type { Context } from '../../../src/graphql/context.js';
import type { ErrorExtensions } from '../../../src/graphql/errors.js';
import { buildSchema } from '../../../src/graphql/schema.js';
import { createGraphQLServer } from '../../../src/graphql/server.js';
import type { Fixture } from './fixture.js';

/** What an operation answers: an object for each root field. */
export type Data = Record<string, Record<string, unknown>>;

/** Runs operations as Apollo does, for the viewers of a world. */
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
export const createEndpoint = `mutation m($input: CreateWebhookEndpointInput!, $account: ID) {
  createWebhookEndpoint(input: $input, account: $account) { id notificationEmail signingSecret } }`;
export const updateEndpoint = `mutation m($id: ID!, $input: UpdateWebhookEndpointInput!) {
  updateWebhookEndpoint(id: $id, input: $input) { id notificationEmail description } }`;
export const publish = `mutation m($input: PublishEventInput!) { publishEvent(input: $input) { id created } }`;
