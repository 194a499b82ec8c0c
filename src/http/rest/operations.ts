import { validateEndpoint } from '../../domain/endpoint/endpoint-input.js';
import type { Issue } from '../../domain/errors.js';
import type { PartialOfferInput, OfferInput } from '../../domain/offer/offer-input.js';
import { validateOffer } from '../../domain/offer/offers.js';
import type { Read } from '../../domain/transaction/tx.js';
import type {
  ResponseBody,
  BodyOf,
  MismatchOf,
  OperationId,
  ParamsOf,
  QueryOf,
  ResultOf,
  VariablesOf,
} from './contract.js';
import { documents, type OperationDocument } from './generated/operations.js';

/** A request that matches the contract: parameters decoded, defaults filled in, body validated. */
interface OperationInput<Id extends OperationId> {
  readonly params: ParamsOf<Id>;
  readonly query: QueryOf<Id>;
  readonly body: BodyOf<Id>;
}

/** How an operation is executed. */
interface Handling {
  /** Looks up the object of the path when the body is refused, because 404 takes precedence over 422. */
  readonly subject?: OperationDocument<unknown, { id: string }>;
  /** The response is known only after the transaction, as for a replay. */
  readonly awaitsReplay?: true;
  /** This change never waits for other changes of its account, so it skips their semaphore. */
  readonly independent?: true;
}

/** What the contract and the document of an operation do not say. */
interface OperationDefinition<Id extends OperationId> extends Handling {
  readonly variables: (operationInput: OperationInput<Id>) => VariablesOf<Id>;
  /** Headers of the success response, in addition to those of every response. */
  readonly headers?: (response: ResponseBody<ResultOf<Id>>) => Readonly<Record<string, string>>;
  /** The domain's errors for the valid fields of a body that cannot become GraphQL variables. */
  readonly validateInput?: (
    read: Read,
    account: string,
    operationInput: PartialInput<Id>,
  ) => Promise<Issue[]>;
}

/** A request whose body has errors; only its valid fields are present. */
interface PartialInput<Id extends OperationId> {
  readonly params: ParamsOf<Id>;
  readonly body: Partial<BodyOf<Id>>;
}

/**
 * An {@link OperationDefinition} for the router, which has checked `operationInput` against the
 * contract.
 */
export interface OperationHandler extends Handling {
  readonly document: OperationDocument<unknown, unknown>;
  readonly variables: (operationInput: unknown) => object;
  readonly headers?: (response: unknown) => Readonly<Record<string, string>>;
  readonly validateInput?: (
    read: Read,
    account: string,
    operationInput: unknown,
  ) => Promise<Issue[]>;
}

function defineOperation<Id extends OperationId>(
  id: Id,
  definition: OperationDefinition<Id>,
): OperationHandler {
  return { document: documents[id], ...definition } as unknown as OperationHandler;
}

const endpoint = documents['webhooks.endpoints.retrieve'];

/** Operations with variables other than their parameters, or with additional rules. */
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

/** Each operation with its parameters as variables, decoded and with defaults. */
const plain = Object.fromEntries(
  Object.entries(documents).map(([id, document]) => [id, { document, variables: parameters }]),
) as unknown as Record<OperationId, OperationHandler>;

/** Fails to compile unless each document matches its contract; the message names the member. */
const mismatches: {
  [Id in OperationId as [MismatchOf<Id>] extends [never] ? never : Id]: MismatchOf<Id>;
} = {};

/** Every operation of `/v1`. The contract has the method, path, permission, limits and statuses. */
export const table: Readonly<Record<OperationId, OperationHandler>> = {
  ...plain,
  ...rows,
  ...mismatches,
};

function parameters({ params, query }: { params: object; query?: object }): object {
  return { ...params, ...query };
}

/** The operations whose parameters are the variables of their documents. */
type Plain = {
  [Id in OperationId]: [ParamsOf<Id> & QueryOf<Id>] extends [VariablesOf<Id>] ? Id : never;
}[OperationId];

type Body = BodyOf<'commerce.offers.create'>;
type Item = CamelCased<Body['line_items'][number]>;

/** The body of a new offer with the domain's names. */
function toOfferInput({ line_items: items, ...body }: Body): OfferInput & { lineItems: Item[] } {
  return { ...camelCased(body), lineItems: items.map(camelCased) };
}

/** The valid fields of a refused body, with the domain's names. */
function toPartialOffer({ line_items: items, ...body }: Partial<Body>): PartialOfferInput {
  return { ...camelCased(body), ...(items && { lineItems: items.map(camelCased) }) };
}

type CamelCase<Name> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

/** The members of a `/v1` object with the domain's names. */
type CamelCased<Members> = {
  [Name in keyof Members as CamelCase<Name>]: Members[Name];
};

/** Renames the members of a body to the domain's names. An absent member stays absent. */
export function camelCased<Members extends object>(members: Members): CamelCased<Members> {
  const entries = Object.entries(members).map(([name, value]) => [
    name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    value as unknown,
  ]);
  return Object.fromEntries(entries) as CamelCased<Members>;
}
