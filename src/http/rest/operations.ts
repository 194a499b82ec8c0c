// The operations of `/v1`. Each is a GraphQL document of `schema/operations`, and how its variables are made from a
// request. Method, path, permission, limits and statuses stand in the contract, `schema/openapi.yaml`.
//
// The compiler compares the two: a document must return what the contract promises ({@link checkedDocuments}), and the
// variables must be those that the document declares. An operation whose variables are its path and query parameters
// needs no entry here; for any other, the compiler asks for one.
import { validateEndpoint } from '../../domain/endpoint/endpoint-input.js';
import type { Issue } from '../../domain/errors.js';
import type { OfferInput, PartialOfferInput } from '../../domain/offer/offer-input.js';
import { validateOffer } from '../../domain/offer/offers.js';
import type { Read } from '../../domain/transaction/tx.js';
import type {
  BodyOf,
  MismatchOf,
  OperationId,
  ParamsOf,
  QueryOf,
  ResponseBody,
  ResultOf,
  VariablesOf,
} from './contract.js';
import { documents, type OperationDocument } from './generated/operations.js';

/** Looks up the endpoint of a path. */
const endpoint = documents['webhooks.endpoints.retrieve'];

/** The operations with variables other than their parameters, or with more rules than the contract has. */
const definitions: Definitions = {
  'webhooks.endpoints.create': {
    variables: ({ body }) => ({ input: camelCased(body) }),
    validateInput: (read, account, { body }) =>
      validateEndpoint(read, account, undefined, camelCased(body)),
    headers: ({ data }) => ({ Location: `/v1/webhooks/endpoints/${data.id}` }),
    independent: true,
  },
  'webhooks.endpoints.update': {
    variables: ({ params, body }) => ({ id: params.id, input: camelCased(body) }),
    subject: endpoint,
    validateInput: (read, account, { params, body }) =>
      validateEndpoint(read, account, params.id, camelCased(body)),
  },
  'webhooks.endpoints.event_subscriptions.update': {
    variables: ({ params, body }) => ({ id: params.id, eventTypes: body.event_types }),
    subject: endpoint,
    validateInput: (read, account, { params, body }) =>
      validateEndpoint(read, account, params.id, camelCased(body)),
  },
  'webhooks.deliveries.replay': {
    variables: ({ params }) => ({ id: params.delivery_id }),
    awaitsReplay: true,
  },
  'webhooks.event_types.list': {
    variables: () => ({}),
  },
  'commerce.payments.refunds.create': {
    variables: ({ params, body }) => ({ id: params.id, input: camelCased(body) }),
    subject: documents['commerce.payments.retrieve'],
    headers: ({ data }) => ({ Location: `/v1/commerce/refunds/${data.id}` }),
  },
  'commerce.offers.create': {
    variables: ({ body }) => ({ input: toOfferInput(body) }),
    validateInput: (read, _account, { body }) => validateOffer(read, toPartialOffer(body)),
  },
};

/**
 * The documents of all operations. Does not compile unless each returns what the contract promises; the message names
 * the member.
 */
const checkedDocuments: {
  readonly [Id in OperationId]: [MismatchOf<Id>] extends [never]
    ? OperationDocument<unknown, unknown>
    : MismatchOf<Id>;
} = documents;

/** Every operation of `/v1`. Without a definition, its parameters are its variables. */
export const operations = Object.fromEntries(
  Object.entries(checkedDocuments).map(([id, document]) => [
    id,
    {
      document,
      variables: parametersOf,
      ...definitions[id as OperationId],
    },
  ]),
) as unknown as Readonly<Record<OperationId, RoutedOperation>>;

function parametersOf({ params, query }: { params: object; query?: object }): object {
  return { ...params, ...query };
}

/** What the contract and the document of an operation do not say. */
interface OperationDefinition<Id extends OperationId> extends ExecutionOptions {
  readonly variables: (request: ValidRequest<Id>) => VariablesOf<Id>;
  /** Headers of the success response, in addition to those of every response. */
  readonly headers?: (response: ResponseBody<ResultOf<Id>>) => Readonly<Record<string, string>>;
  /** The domain's errors for the valid fields of a body that cannot become GraphQL variables. */
  readonly validateInput?: (
    read: Read,
    account: string,
    request: RefusedRequest<Id>,
  ) => Promise<Issue[]>;
}

/** How an operation is executed. */
interface ExecutionOptions {
  /** Looks up the object of the path when the body is refused, because 404 takes precedence over 422. */
  readonly subject?: OperationDocument<unknown, { id: string }>;
  /** The response is known only after the transaction, as for a replay. */
  readonly awaitsReplay?: true;
  /** This change never waits for other changes of its account, so it skips their semaphore. */
  readonly independent?: true;
}

/** A request that matches the contract: parameters decoded, defaults filled in, body validated. */
interface ValidRequest<Id extends OperationId> {
  readonly params: ParamsOf<Id>;
  readonly query: QueryOf<Id>;
  readonly body: BodyOf<Id>;
}

/** A request whose body has errors; only its valid fields are present. */
interface RefusedRequest<Id extends OperationId> {
  readonly params: ParamsOf<Id>;
  readonly body: Partial<BodyOf<Id>>;
}

/** The operations whose parameters are the variables of their documents. */
type ByParameters = {
  [Id in OperationId]: [ParamsOf<Id> & QueryOf<Id>] extends [VariablesOf<Id>] ? Id : never;
}[OperationId];

type Definitions = {
  readonly [Id in Exclude<OperationId, ByParameters>]: OperationDefinition<Id>;
} & {
  readonly [Id in ByParameters]?: OperationDefinition<Id>;
};

/** An operation for the router, which has checked the request against the contract. */
export interface RoutedOperation extends ExecutionOptions {
  readonly document: OperationDocument<unknown, unknown>;
  readonly variables: (request: unknown) => object;
  readonly headers?: (response: unknown) => Readonly<Record<string, string>>;
  readonly validateInput?: (read: Read, account: string, request: unknown) => Promise<Issue[]>;
}

type OfferBody = BodyOf<'commerce.offers.create'>;
type OfferItem = CamelCased<OfferBody['line_items'][number]>;

/** The body of a new offer with the domain's names. */
function toOfferInput({
  line_items: items,
  ...body
}: OfferBody): OfferInput & { lineItems: OfferItem[] } {
  return { ...camelCased(body), lineItems: items.map(camelCased) };
}

/** The valid fields of a refused body, with the domain's names. */
function toPartialOffer({ line_items: items, ...body }: Partial<OfferBody>): PartialOfferInput {
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
