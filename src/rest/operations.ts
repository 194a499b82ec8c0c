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

/** One row of the table. */
function serve<Id extends OperationId>(id: Id, row: Row<Id>): Served {
  return { document: documents[id], ...row } as unknown as Served;
}

const endpoint = documents['webhooks.endpoints.retrieve'];

/** The operations that are asked with more than their parameters, or have something besides. */
const rows = {
  'webhooks.endpoints.create': serve('webhooks.endpoints.create', {
    variables: ({ body }) => ({ input: camelCased(body) }),
    judge: (read, account, { body }) => judgeEndpoint(read, account, undefined, camelCased(body)),
    headers: ({ data }) => ({ Location: `/v1/webhooks/endpoints/${data.id}` }),
    independent: true,
  }),
  'webhooks.endpoints.update': serve('webhooks.endpoints.update', {
    variables: ({ params, body }) => ({ id: params.id, input: camelCased(body) }),
    subject: endpoint,
    judge: (read, account, { params, body }) =>
      judgeEndpoint(read, account, params.id, camelCased(body)),
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
  'webhooks.deliveries.replay': serve('webhooks.deliveries.replay', {
    variables: ({ params }) => ({ id: params.delivery_id }),
    waits: true,
  }),
  'webhooks.event_types.list': serve('webhooks.event_types.list', {
    variables: () => ({}),
  }),
  'commerce.payments.refunds.create': serve('commerce.payments.refunds.create', {
    variables: ({ params, body }) => ({ id: params.id, input: camelCased(body) }),
    subject: documents['commerce.payments.retrieve'],
    headers: ({ data }) => ({ Location: `/v1/commerce/refunds/${data.id}` }),
  }),
  'commerce.offers.create': serve('commerce.offers.create', {
    variables: ({ body }) => ({ input: offerOf(body) }),
    judge: (read, _account, { body }) => judgeOffer(read, offerFieldsOf(body)),
  }),
} satisfies Partial<Record<OperationId, Served>> & Record<Exclude<OperationId, Plain>, Served>;

/** Each operation asked with its parameters, decoded and with defaults. */
const plain = Object.fromEntries(
  Object.entries(documents).map(([id, document]) => [id, { document, variables: parameters }]),
) as unknown as Record<OperationId, Served>;

/** Does not compile unless each document fits its contract; the message then names the member. */
const unfit: { [Id in OperationId as [FaultOf<Id>] extends [never] ? never : Id]: FaultOf<Id> } =
  {};

/** Every operation of /v1. Method, path, permission, limits and statuses stand in the contract. */
export const table: Readonly<Record<OperationId, Served>> = { ...plain, ...rows, ...unfit };

function parameters({ params, query }: { params: object; query?: object }): object {
  return { ...params, ...query };
}

/** The operations whose parameters are the variables of their documents. */
type Plain = {
  [Id in OperationId]: [ParamsOf<Id> & QueryOf<Id>] extends [VariablesOf<Id>] ? Id : never;
}[OperationId];
