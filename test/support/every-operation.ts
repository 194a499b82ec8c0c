import { expect } from 'chai';
import { createCheckout, makeOrder, makeOffer, offerInput, offersPath } from './sales.js';
import {
  createEndpoint,
  dataOf,
  deliveriesPath,
  endpointInput,
  endpointsPath,
  listDeliveries,
} from './endpoints.js';
import { eventually } from './eventually.js';
import type { Receiver } from './receiver.js';
import type { Ask, Reply, RestClient } from './rest-client.js';
import type { Tenant } from './tenants.js';

/** The objects that operations with an id are called on. */
export interface Subjects {
  readonly endpoint: string;
  readonly delivery: string;
  readonly checkout: string;
  readonly order: string;
  readonly payment: string;
  readonly refund: string;
  readonly invoice: string;
  /** An offer that is a draft. */
  readonly offer: string;
}

/** One operation of /v1, written by hand so that the contract is not tested against itself. */
export interface PublicOperation {
  readonly id: string;
  readonly method: string;
  readonly path: (subjects: Subjects) => string;
  /** A valid body. */
  readonly body?: object;
  readonly permission: 'webhooks:read' | 'webhooks:write' | 'orders:read' | 'orders:write';
  /** The kind of object in the path. */
  readonly subject?: keyof Subjects;
  /** The pagination of a list. */
  readonly list?: 'by cursor' | 'by number';
}

/** Ids that no object has. */
export const unknownSubjects: Subjects = {
  endpoint: 'whs_0000000000000000000000AB',
  delivery: 'whd_0000000000000000000000AB',
  checkout: 'chk_0000000000000000000000AB',
  order: 'ord_0000000000000000000000AB',
  payment: 'pay_0000000000000000000000AB',
  refund: 'rfd_0000000000000000000000AB',
  invoice: 'inv_0000000000000000000000AB',
  offer: 'off_0000000000000000000000AB',
};

/** Creates one object of each kind, an endpoint at `receiver` with one delivery among them. */
export async function makeSubjects(tenant: Tenant, receiver: Receiver): Promise<Subjects> {
  const { order, payment, invoice } = await makeOrder(tenant);
  const { id: refund } = dataOf<{ id: string }>(
    await tenant.rest.post(`/v1/commerce/payments/${payment.id}/refunds`, {
      amount_minor_units: 1,
    }),
    201,
  );

  const { id: endpoint } = await createEndpoint(tenant.rest, { url: receiver.url() });

  await createEndpoint(tenant.rest, { active: false });
  await tenant.publish({});

  const delivery = await eventually(async () => {
    const [record] = await listDeliveries(tenant.rest);
    expect(record?.status).to.equal('success');
    return record!.id;
  }, 'the event is delivered');

  const { id: offer } = await makeOffer(tenant.rest, {}, []);
  return {
    endpoint,
    delivery,
    refund,
    offer,
    checkout: await createCheckout(tenant),
    order: order.id,
    payment: payment.id,
    invoice: invoice.id,
  };
}

const onEndpoint = { path: one(), permission: 'webhooks:write', subject: 'endpoint' } as const;
const reading = { method: 'GET', permission: 'webhooks:read' } as const;

/** Every operation of /v1. */
export const publicOperations: readonly PublicOperation[] = [
  {
    id: 'webhooks.endpoints.create',
    method: 'POST',
    path: () => endpointsPath,
    body: endpointInput(),
    permission: 'webhooks:write',
  },
  { ...reading, id: 'webhooks.endpoints.list', path: () => endpointsPath, list: 'by cursor' },
  {
    ...onEndpoint,
    id: 'webhooks.endpoints.retrieve',
    method: 'GET',
    permission: 'webhooks:read',
  },
  {
    ...onEndpoint,
    id: 'webhooks.endpoints.update',
    method: 'PATCH',
    body: { description: 'By every role' },
  },
  {
    ...onEndpoint,
    id: 'webhooks.endpoints.event_subscriptions.update',
    method: 'PUT',
    path: one('/event-subscriptions'),
    body: { event_types: ['cart.order.completed'] },
  },
  {
    ...onEndpoint,
    id: 'webhooks.endpoints.secret_rotations.create',
    method: 'POST',
    path: one('/secret-rotations'),
  },
  { ...onEndpoint, id: 'webhooks.endpoints.delete', method: 'DELETE' },
  { ...reading, id: 'webhooks.deliveries.list', path: () => deliveriesPath, list: 'by cursor' },
  {
    id: 'webhooks.deliveries.replay',
    method: 'POST',
    path: ({ delivery }) => `${deliveriesPath}/${delivery}/replay`,
    permission: 'webhooks:write',
    subject: 'delivery',
  },
  { ...reading, id: 'webhooks.event_types.list', path: () => '/v1/webhooks/event-types' },
  {
    id: 'commerce.checkouts.retrieve',
    method: 'GET',
    path: ({ checkout }) => `/v1/commerce/checkouts/${checkout}`,
    permission: 'orders:read',
    subject: 'checkout',
  },
  ...ledgerOperations('order'),
  ...ledgerOperations('payment'),
  {
    id: 'commerce.payments.refunds.create',
    method: 'POST',
    path: ({ payment }) => `/v1/commerce/payments/${payment}/refunds`,
    body: { amount_minor_units: 1 },
    permission: 'orders:write',
    subject: 'payment',
  },
  ...ledgerOperations('refund'),
  ...ledgerOperations('invoice'),
  {
    id: 'commerce.offers.create',
    method: 'POST',
    path: () => offersPath,
    body: offerInput(),
    permission: 'orders:write',
  },
  ...(['send', 'resend', 'cancel'] as const).map((step): PublicOperation => ({
    id: `commerce.offers.${step}`,
    method: 'POST',
    path: ({ offer }) => `${offersPath}/${offer}/${step}`,
    permission: 'orders:write',
    subject: 'offer',
  })),
];

/** Returns the operations that list and retrieve one kind of commerce object. */
function ledgerOperations(kind: 'order' | 'payment' | 'refund' | 'invoice'): PublicOperation[] {
  const path = `/v1/commerce/${kind}s`;
  const reader = { method: 'GET', permission: 'orders:read' } as const;
  return [
    { ...reader, id: `commerce.${kind}s.list`, path: () => path, list: 'by number' },
    {
      ...reader,
      id: `commerce.${kind}s.retrieve`,
      path: (subjects) => `${path}/${subjects[kind]}`,
      subject: kind,
    },
  ];
}

function one(rest = ''): PublicOperation['path'] {
  return ({ endpoint }) => `${endpointsPath}/${endpoint}${rest}`;
}

/** Calls the operation; `subjects` defaults to objects that do not exist. */
export function call(
  rest: RestClient,
  { method, path, body }: PublicOperation,
  subjects: Subjects = unknownSubjects,
  ask: Ask = {},
): Promise<Reply> {
  return rest.send(method, path(subjects), { ...(body && { body }), ...ask });
}
