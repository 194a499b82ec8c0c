import { expect } from 'chai';
import type { components } from '../../src/http/rest/generated/openapi-types.js';
import type { Reply, RestClient } from './rest-client.js';

type Schemas = components['schemas'];

/** A webhook endpoint as /v1 shows it. */
export type EndpointBody = Readonly<Schemas['WebhookEndpoint']> &
  Partial<Readonly<Pick<Schemas['WebhookEndpointWithSecret'], 'signing_secret'>>>;

/** A delivery record as /v1 shows it. */
export type DeliveryBody = Readonly<Schemas['WebhookDelivery']>;

/** The body of most responses. */
export interface Envelope<Data> {
  readonly data: Data;
}

/** The body of a list. */
export interface List<Item> {
  readonly data: readonly Item[];
  readonly page: { readonly has_more: boolean; readonly next_cursor?: string };
}

export const endpointsPath = '/v1/webhooks/endpoints';
export const deliveriesPath = '/v1/webhooks/deliveries';

/** Returns a valid body of a create request; `changes` override it. */
export function endpointInput(changes: object = {}): object {
  return {
    url: 'https://shop.example.com/webhooks',
    event_types: ['cart.order.completed'],
    notification_email: 'ops@shop.example.com',
    ...changes,
  };
}

/** Creates an endpoint and returns it with its secret. */
export async function createEndpoint(
  rest: RestClient,
  changes: object = {},
): Promise<EndpointBody & { readonly signing_secret: string }> {
  return dataOf(await rest.post(endpointsPath, endpointInput(changes)), 201);
}

/** Lists the account's deliveries, newest first. */
export async function listDeliveries(
  rest: RestClient,
  query = '',
): Promise<readonly DeliveryBody[]> {
  return dataOf(await rest.get(`${deliveriesPath}${query}`), 200);
}

/** Returns the data of a response. @throws AssertionError when it has another status */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller knows what it asked for
export function dataOf<Data>(reply: Reply, status: number): Data {
  expect(reply.status, reply.text).to.equal(status);
  return (reply.body as { data: Data }).data;
}

/** A problem of `/v1`. */
export interface ProblemBody {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly request_id: string;
  readonly errors: readonly { code: string; detail: string; param?: string }[];
}

/** Returns the problem of a response. @throws AssertionError when it has another status */
export function toProblem(reply: Reply, status: number): ProblemBody {
  expect(reply.status, reply.text).to.equal(status);
  return reply.body as ProblemBody;
}

/** Returns the issues of a validation_failed as `param: code`, in their order. */
export function refusalsOf(reply: Reply): string[] {
  const { code, errors } = toProblem(reply, 422);
  expect(code).to.equal('validation_failed');
  return errors.map((entry) => `${entry.param ?? ''}: ${entry.code}`);
}

/** Returns a problem without its request_id, so that a test can compare two problems. */
export function comparable(problem: ProblemBody): Omit<ProblemBody, 'request_id'> {
  return { ...problem, request_id: undefined } as Omit<ProblemBody, 'request_id'>;
}
