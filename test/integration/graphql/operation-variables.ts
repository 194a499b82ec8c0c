import { type PublicOperation, publicOperations } from '../../support/every-operation.js';
import { endpointInput, offerInput } from './fixture.js';

/** The variables of an operation; `subject` finds the id of what it is asked about. */
export type Variables = (subject: (query: string) => Promise<string>) => object | Promise<object>;

const list = { page: 1, per_page: 20 };
/** Before there were any. */
const emptyRange = { cash_flow_from: '2001-01-01', cash_flow_to: '2001-12-31' };

const first = (from: string) =>
  `select id from ${from} and account_id = $1 order by id desc limit 1`;
/** The one with most to cancel. */
const endpointWithMostPending = `select e.id from endpoint e
  left join (select endpoint_id, count(*) as "pendingDeliveries" from pending_delivery group by endpoint_id) c
    on c.endpoint_id = e.id
 where e.account_id = $1 and e.active and e.deleted_at is null
 order by c."pendingDeliveries" desc nulls last, e.id desc limit 1`;
const ofLatest =
  (table: string): Variables =>
  async (subject) => ({
    id: await subject(first(`"${table}" where true`)),
  });
const ofOffer =
  (state: string): Variables =>
  async (subject) => ({
    id: await subject(first(`offer where ${state}`)),
  });
const ofEndpoint: Variables = async (subject) => ({ id: await subject(endpointWithMostPending) });

/** Of operations that take more than the id of anything, or a page. */
const ownVariables: Readonly<Record<string, readonly Variables[]>> = {
  'webhooks.endpoints.create': [() => ({ input: endpointInput })],
  'webhooks.endpoints.list': [() => ({ limit: 20 }), () => ({ limit: 20, status: 'active' })],
  'webhooks.deliveries.list': [
    () => ({ limit: 20 }),
    () => ({ limit: 20, status: 'failed' }),
    () => ({ limit: 20, status: 'abandoned' }),
  ],
  'webhooks.deliveries.replay': [
    async (subject) => ({
      id: await subject(`select d.id from delivery d join endpoint e on e.id = d.endpoint_id
                          where d.account_id = $1 and e.active and e.deleted_at is null
                            and d.event_type = any (e.event_types)
                            and (d.endpoint_id, d.event_id) not in (
                              select endpoint_id, event_id from pending_delivery where lease_token is not null)
                          order by d.id limit 1`),
    }),
  ],
  'webhooks.endpoints.update': [
    async (subject) => ({
      id: await subject(endpointWithMostPending),
      input: { description: 'Other' },
    }),
    async (subject) => ({ id: await subject(endpointWithMostPending), input: { active: false } }),
  ],
  'webhooks.endpoints.event_subscriptions.update': [
    async (subject) => ({
      id: await subject(endpointWithMostPending),
      eventTypes: ['invoice.issued'],
    }),
  ],
  'webhooks.event_types.list': [() => ({})],
  'commerce.payments.list': [
    () => list,
    () => ({ ...list, created_from: '2026-01-01', created_to: '2099-01-01' }),
    () => ({ ...list, buyer_email: 'ada@example.com' }),
    () => ({ ...list, ...emptyRange }),
    () => ({ ...list, ...emptyRange, buyer_email: 'ada@example.com' }),
  ],
  'commerce.payments.refunds.create': [
    async (subject) => ({
      id: await subject(first(`payment where status in ('succeeded', 'partially_refunded')`)),
      input: { amountMinorUnits: 1 },
    }),
  ],
  'commerce.offers.create': [() => ({ input: offerInput })],
  'commerce.offers.send': [ofOffer('sent_at is null and cancelled_at is null')],
  'commerce.offers.resend': [
    ofOffer(`sent_at is not null and cancelled_at is null
    and accepted_at is null and expires_at > now()`),
  ],
  'commerce.offers.cancel': [
    ofOffer(`cancelled_at is null and accepted_at is null
    and expires_at > now()`),
  ],
};

/** What each operation of /v1 is asked with; some more than once. Deliveries before endpoints are deleted. */
export const operationVariables: Readonly<Record<string, readonly Variables[]>> =
  Object.fromEntries(
    [true, false].flatMap((ofDeliveries) =>
      publicOperations
        .filter(({ id }) => id.startsWith('webhooks.deliveries.') === ofDeliveries)
        .map((operation) => [operation.id, variablesOf(operation)]),
    ),
  );

function variablesOf({ id, subject, list: paging }: PublicOperation): readonly Variables[] {
  const own = ownVariables[id];
  if (own) return own;
  if (subject) return [subject === 'endpoint' ? ofEndpoint : ofLatest(subject)];
  if (paging === 'by number') return [() => list];
  throw new Error(`${id} needs variables`);
}
