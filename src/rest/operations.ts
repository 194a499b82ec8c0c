import { validateEndpoint } from '../domain/endpoint/validate-endpoint.js';
import type { Issue } from '../domain/errors.js';
import { validateOffer } from '../domain/offer/offers.js';
import type { Read } from '../domain/tx.js';
import { camelCased } from './camel-cased.js';
import type {
  ResponseBody,
  BodyOf,
  MismatchOf,
  OperationId,
  ParamsOf,
  QueryOf,
  ResultOf,
  VariablesOf,
} from './contract-types.js';
import { documents, type OperationDocument } from './generated/operations.js';
import { toPartialOffer, toOfferInput } from './offer-body.js';

/** A request that passed the contract: parameters decoded, defaults filled in, body validated. */
export interface OperationInput<Id extends OperationId> {
  readonly params: ParamsOf<Id>;
  readonly query: QueryOf<Id>;
  readonly body: BodyOf<Id>;
}

/** What an operation needs besides its contract and its document. */
interface OperationDefinition<Id extends OperationId> {
  readonly variables: (operationInput: OperationInput<Id>) => VariablesOf<Id>;
  /** Headers of the success response, beside those that every response has. */
  readonly headers?: (response: ResponseBody<ResultOf<Id>>) => Readonly<Record<string, string>>;
  /** Looked up when the body is refused, so that 404 wins over 422 (H47). */
  readonly subject?: OperationDocument<unknown, { id: string }>;
  /** What the domain refuses of a body that cannot become variables: of its sound properties. */
  readonly validateInput?: (
    read: Read,
    account: string,
    operationInput: PartialInput<Id>,
  ) => Promise<Issue[]>;
  /** The answer is known only after its transaction has ended: the replay (H76). */
  readonly awaitsReplay?: true;
  /** A change that waits for no other of its account, and so takes no turns with them. */
  readonly independent?: true;
}

/** A request whose body has faults: only its sound properties are there. */
interface PartialInput<Id extends OperationId> {
  readonly params: ParamsOf<Id>;
  readonly body: Partial<BodyOf<Id>>;
}

/** A {@link OperationDefinition} as the pipeline sees it: `asked` was checked against the contract before. */
export interface OperationHandler {
  readonly document: OperationDocument<unknown, unknown>;
  readonly variables: (operationInput: unknown) => object;
  readonly headers?: (response: unknown) => Readonly<Record<string, string>>;
  readonly subject?: OperationDocument<unknown, { id: string }>;
  readonly validateInput?: (
    read: Read,
    account: string,
    operationInput: unknown,
  ) => Promise<Issue[]>;
  /** The answer is known only after its transaction has ended: the replay (H76). */
  readonly awaitsReplay?: true;
  /** A change that waits for no other of its account, and so takes no turns with them. */
  readonly independent?: true;
}

/** One row of the table. */
function defineOperation<Id extends OperationId>(
  id: Id,
  definition: OperationDefinition<Id>,
): OperationHandler {
  return { document: documents[id], ...definition } as unknown as OperationHandler;
}

const endpoint = documents['webhooks.endpoints.retrieve'];

/** The operations that are asked with more than their parameters, or have something besides. */
const rows = {
  'webhooks.endpoints.create': defineOperation('webhooks.endpoints.create', {
    variables: ({ body }) => ({ input: camelCased(body) }),
    validateInput: (read, account, { body }) =>
      validateEndpoint(read, account, undefined, camelCased(body)),
    headers: ({ data }) => ({ Location: `/v1/webhooks/endpoints/${data.id}` }),
    independent: true,
  }),
  'webhooks.endpoints.update': defineOperation('webhooks.endpoints.update', {
    variables: ({ params, body }) => ({ id: params.id, input: camelCased(body) }),
    subject: endpoint,
    validateInput: (read, account, { params, body }) =>
      validateEndpoint(read, account, params.id, camelCased(body)),
  }),
  'webhooks.endpoints.event_subscriptions.update': defineOperation(
    'webhooks.endpoints.event_subscriptions.update',
    {
      variables: ({ params, body }) => ({ id: params.id, eventTypes: body.event_types }),
      subject: endpoint,
      validateInput: (read, account, { params, body }) =>
        validateEndpoint(read, account, params.id, camelCased(body)),
    },
  ),
  'webhooks.deliveries.replay': defineOperation('webhooks.deliveries.replay', {
    variables: ({ params }) => ({ id: params.delivery_id }),
    awaitsReplay: true,
  }),
  'webhooks.event_types.list': defineOperation('webhooks.event_types.list', {
    variables: () => ({}),
  }),
  'commerce.payments.refunds.create': defineOperation('commerce.payments.refunds.create', {
    variables: ({ params, body }) => ({ id: params.id, input: camelCased(body) }),
    subject: documents['commerce.payments.retrieve'],
    headers: ({ data }) => ({ Location: `/v1/commerce/refunds/${data.id}` }),
  }),
  'commerce.offers.create': defineOperation('commerce.offers.create', {
    variables: ({ body }) => ({ input: toOfferInput(body) }),
    validateInput: (read, _account, { body }) => validateOffer(read, toPartialOffer(body)),
  }),
} satisfies Partial<Record<OperationId, OperationHandler>> &
  Record<Exclude<OperationId, Plain>, OperationHandler>;

/** Each operation asked with its parameters, decoded and with defaults. */
const plain = Object.fromEntries(
  Object.entries(documents).map(([id, document]) => [id, { document, variables: parameters }]),
) as unknown as Record<OperationId, OperationHandler>;

/** Does not compile unless each document fits its contract; the message then names the member. */
const unfit: {
  [Id in OperationId as [MismatchOf<Id>] extends [never] ? never : Id]: MismatchOf<Id>;
} = {};

/** Every operation of /v1. Method, path, permission, limits and statuses stand in the contract. */
export const table: Readonly<Record<OperationId, OperationHandler>> = {
  ...plain,
  ...rows,
  ...unfit,
};

function parameters({ params, query }: { params: object; query?: object }): object {
  return { ...params, ...query };
}

/** The operations whose parameters are the variables of their documents. */
type Plain = {
  [Id in OperationId]: [ParamsOf<Id> & QueryOf<Id>] extends [VariablesOf<Id>] ? Id : never;
}[OperationId];
