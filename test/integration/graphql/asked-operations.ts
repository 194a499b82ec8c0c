import { type PublicOperation, publicOperations } from '../../support/every-operation.js';
import { endpointInput, offerInput } from './world.js';

/** The variables of an operation; `subject` finds the id of what it is asked about. */
export type Variables = (subject: (query: string) => Promise<string>) => object | Promise<object>;

const list = { page: 1, per_page: 20 };
/** Before there were any. */
const longAgo = { cash_flow_from: '2001-01-01', cash_flow_to: '2001-12-31' };

const first = (from: string) =>
  `select id from ${from} and account_id = $1 order by id desc limit 1`;
/** The one with most to cancel. */
const onEndpoint = `select e.id from endpoint e
  left join (select endpoint_id, count(*) as chains from chain group by endpoint_id) c
    on c.endpoint_id = e.id
 where e.account_id = $1 and e.active and e.deleted_at is null
 order by c.chains desc nulls last, e.id desc limit 1`;
const entry =
  (table: string): Variables =>
  async (subject) => ({
    id: await subject(first(`"${table}" where true`)),
  });
const onOffer =
  (state: string): Variables =>
  async (subject) => ({
    id: await subject(first(`offer where ${state}`)),
  });
const onIt: Variables = async (subject) => ({ id: await subject(onEndpoint) });

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
                              select endpoint_id, event_id from chain where lease_token is not null)
                          order by d.id limit 1`),
    }),
  ],
  'webhooks.endpoints.update': [
    async (subject) => ({ id: await subject(onEndpoint), input: { description: 'Other' } }),
    async (subject) => ({ id: await subject(onEndpoint), input: { active: false } }),
  ],
  'webhooks.endpoints.event_subscriptions.update': [
    async (subject) => ({ id: await subject(onEndpoint), eventTypes: ['invoice.issued'] }),
  ],
  'webhooks.event_types.list': [() => ({})],
  'commerce.payments.list': [
    () => list,
    () => ({ ...list, created_from: '2026-01-01', created_to: '2099-01-01' }),
    () => ({ ...list, buyer_email: 'ada@example.com' }),
    () => ({ ...list, ...longAgo }),
    () => ({ ...list, ...longAgo, buyer_email: 'ada@example.com' }),
  ],
  'commerce.payments.refunds.create': [
    async (subject) => ({
      id: await subject(first(`payment where status in ('succeeded', 'partially_refunded')`)),
      input: { amountMinorUnits: 1 },
    }),
  ],
  'commerce.offers.create': [() => ({ input: offerInput })],
  'commerce.offers.send': [onOffer('sent_at is null and cancelled_at is null')],
  'commerce.offers.resend': [
    onOffer(`sent_at is not null and cancelled_at is null
    and accepted_at is null and expires_at > now()`),
  ],
  'commerce.offers.cancel': [
    onOffer(`cancelled_at is null and accepted_at is null
    and expires_at > now()`),
  ],
};

/** What each operation of /v1 is asked with; some more than once. Deliveries before endpoints are deleted. */
export const askedOperations: Readonly<Record<string, readonly Variables[]>> = Object.fromEntries(
  [true, false].flatMap((ofDeliveries) =>
    publicOperations
      .filter(({ id }) => id.startsWith('webhooks.deliveries.') === ofDeliveries)
      .map((operation) => [operation.id, variablesOf(operation)]),
  ),
);

function variablesOf({ id, subject, list: paging }: PublicOperation): readonly Variables[] {
  const own = ownVariables[id];
  if (own) return own;
  if (subject) return [subject === 'endpoint' ? onIt : entry(subject)];
  if (paging === 'by number') return [() => list];
  throw new Error(`${id} needs variables`);
}
