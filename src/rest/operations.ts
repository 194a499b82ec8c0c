import { judgeEndpoint } from '../domain/endpoint/judge.js';
import type { ErrorEntry } from '../domain/errors.js';
import { judgeOffer } from '../domain/offer/offers.js';
import type { Read } from '../domain/tx.js';
import { camelCased } from './camel-cased.js';
import type {
  Answer,
  BodyOf,
  FaultOf,
  OperationId,
  ParamsOf,
  QueryOf,
  ResultOf,
  VariablesOf,
} from './fits.js';
import { documents, type OperationDocument } from './generated/operations.js';
import { offerFieldsOf, offerOf } from './offer-body.js';

/** A request that passed the contract: parameters decoded, defaults filled in, body validated. */
export interface Asked<Id extends OperationId> {
  readonly params: ParamsOf<Id>;
  readonly query: QueryOf<Id>;
  readonly body: BodyOf<Id>;
}

/** What an operation needs besides its contract and its document. */
interface Row<Id extends OperationId> {
  readonly variables: (asked: Asked<Id>) => VariablesOf<Id>;
  /** Headers of the success response, beside those that every response has. */
  readonly headers?: (answer: Answer<ResultOf<Id>>) => Readonly<Record<string, string>>;
  /** Looked up when the body is refused, so that 404 wins over 422 (H47). */
  readonly subject?: OperationDocument<unknown, { id: string }>;
  /** What the domain refuses of a body that cannot become variables: of its sound properties. */
  readonly judge?: (read: Read, account: string, asked: Partly<Id>) => Promise<ErrorEntry[]>;
  /** The answer is known only after its transaction has ended: the replay (H76). */
  readonly waits?: true;
  /** A change that waits for no other of its account, and so takes no turns with them. */
  readonly independent?: true;
}

/** A request whose body has faults: only its sound properties are there. */
interface Partly<Id extends OperationId> {
  readonly params: ParamsOf<Id>;
  readonly body: Partial<BodyOf<Id>>;
}

/** A {@link Row} as the pipeline sees it: `asked` was checked against the contract before. */
export interface Served {
  readonly document: OperationDocument<unknown, unknown>;
  readonly variables: (asked: unknown) => object;
  readonly headers?: (answer: unknown) => Readonly<Record<string, string>>;
  readonly subject?: OperationDocument<unknown, { id: string }>;
  readonly judge?: (read: Read, account: string, asked: unknown) => Promise<ErrorEntry[]>;
  /** The answer is known only after its transaction has ended: the replay (H76). */
  readonly waits?: true;
  /** A change that waits for no other of its account, and so takes no turns with them. */
  readonly independent?: true;
}

/**
 * One row of the table. Does not compile unless the document named like the operation fits the
 * contract; the message then names the member.
 */
function serve<Id extends OperationId>(
  id: Id,
  row: [FaultOf<Id>] extends [never] ? Row<Id> : { fault: FaultOf<Id> },
): Served {
  return { document: documents[id], ...row } as unknown as Served;
}

const endpoint = documents['webhooks.endpoints.retrieve'];

/** Every operation of /v1. Method, path, permission, limits and statuses stand in the contract. */
export const table = {
  'webhooks.endpoints.create': serve('webhooks.endpoints.create', {
    variables: ({ body }) => ({ input: camelCased(body) }),
    judge: (read, account, { body }) => judgeEndpoint(read, account, undefined, camelCased(body)),
    headers: ({ data }) => ({ Location: `/v1/webhooks/endpoints/${data.id}` }),
    independent: true,
  }),
  'webhooks.endpoints.list': serve('webhooks.endpoints.list', {
    variables: ({ query }) => query,
  }),
  'webhooks.endpoints.retrieve': serve('webhooks.endpoints.retrieve', {
    variables: ({ params }) => params,
  }),
  'webhooks.endpoints.update': serve('webhooks.endpoints.update', {
    variables: ({ params, body }) => ({ id: params.id, input: camelCased(body) }),
    subject: endpoint,
    judge: (read, account, { params, body }) =>
      judgeEndpoint(read, account, params.id, camelCased(body)),
  }),
  'webhooks.endpoints.delete': serve('webhooks.endpoints.delete', {
    variables: ({ params }) => params,
  }),
  'webhooks.endpoints.event_subscriptions.update': serve(
    'webhooks.endpoints.event_subscriptions.update',
    {
      variables: ({ params, body }) => ({ id: params.id, eventTypes: body.event_types }),
      subject: endpoint,
      judge: (read, account, { params, body }) =>
        judgeEndpoint(read, account, params.id, camelCased(body)),
    },
  ),
  'webhooks.endpoints.secret_rotations.create': serve(
    'webhooks.endpoints.secret_rotations.create',
    { variables: ({ params }) => params },
  ),
  'webhooks.deliveries.list': serve('webhooks.deliveries.list', {
    variables: ({ query }) => query,
  }),
  'webhooks.deliveries.replay': serve('webhooks.deliveries.replay', {
    variables: ({ params }) => ({ id: params.delivery_id }),
    waits: true,
  }),
  'webhooks.event_types.list': serve('webhooks.event_types.list', {
    variables: () => ({}),
  }),
  'commerce.checkouts.retrieve': serve('commerce.checkouts.retrieve', {
    variables: ({ params }) => params,
  }),
  'commerce.orders.list': serve('commerce.orders.list', {
    variables: ({ query }) => query,
  }),
  'commerce.orders.retrieve': serve('commerce.orders.retrieve', {
    variables: ({ params }) => params,
  }),
  'commerce.payments.list': serve('commerce.payments.list', {
    variables: ({ query }) => query,
  }),
  'commerce.payments.retrieve': serve('commerce.payments.retrieve', {
    variables: ({ params }) => params,
  }),
  'commerce.payments.refunds.create': serve('commerce.payments.refunds.create', {
    variables: ({ params, body }) => ({ id: params.id, input: camelCased(body) }),
    subject: documents['commerce.payments.retrieve'],
    headers: ({ data }) => ({ Location: `/v1/commerce/refunds/${data.id}` }),
  }),
  'commerce.refunds.list': serve('commerce.refunds.list', {
    variables: ({ query }) => query,
  }),
  'commerce.refunds.retrieve': serve('commerce.refunds.retrieve', {
    variables: ({ params }) => params,
  }),
  'commerce.invoices.list': serve('commerce.invoices.list', {
    variables: ({ query }) => query,
  }),
  'commerce.invoices.retrieve': serve('commerce.invoices.retrieve', {
    variables: ({ params }) => params,
  }),
  'commerce.offers.create': serve('commerce.offers.create', {
    variables: ({ body }) => ({ input: offerOf(body) }),
    judge: (read, _account, { body }) => judgeOffer(read, offerFieldsOf(body)),
  }),
  'commerce.offers.send': serve('commerce.offers.send', {
    variables: ({ params }) => params,
  }),
  'commerce.offers.resend': serve('commerce.offers.resend', {
    variables: ({ params }) => params,
  }),
  'commerce.offers.cancel': serve('commerce.offers.cancel', {
    variables: ({ params }) => params,
  }),
} satisfies Readonly<Record<OperationId, Served>>;
