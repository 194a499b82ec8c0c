import { checkoutInput, endpointInput, offerInput } from './fixture.js';

/** Ids of the fixture, and of what earlier mutations made, by name. */
export type Ids = Readonly<Record<string, string>>;

/** One mutation, and what the audit log says of it. */
export interface AuditedMutation {
  readonly field: string;
  readonly action: string;
  /** Its arguments. */
  readonly call: (ids: Ids) => string;
  /** The fields of its answer; empty for a scalar. */
  readonly selection: string;
  /** The name of the id of what is changed; `answer` for that of the answer; null for none. */
  readonly resource: string | null;
  /** The name that the id of the answer gets for later mutations. */
  readonly makes?: string;
}

/** Mutations that the audit log leaves out: events are a log of their own. */
export const unaudited = ['publishEvent', 'publishEvents'];

/** Each mutation once, in an order in which all succeed. An operator calls them. */
export const auditedMutations: readonly AuditedMutation[] = [
  byId('replayDelivery', 'delivery_replayed', 'delivery'),
  byId('rotateSigningSecret', 'signing_secret_rotated', 'endpoint'),
  making('createWebhookEndpoint', 'endpoint_created', 'newEndpoint', ({ account }) =>
    inputOf(endpointInput, account),
  ),
  byId('updateWebhookEndpoint', 'endpoint_updated', 'endpoint', 'input: { description: "Other" }'),
  byId('replaceEventSubscriptions', 'endpoint_updated', 'endpoint', 'eventTypes: ["offer.sent"]'),
  on('setSendsTraceparent', 'account_updated', 'account', ({ account = '' }) =>
    [`account: "${account}"`, 'sends: true'].join(', '),
  ),
  byId('setEndpointRateLimit', 'rate_limit_changed', 'endpoint', 'maxPerSecond: 5'),
  on('sendTestEvent', 'test_event_sent', 'endpoint', ({ account = '', endpoint = '' }) =>
    input({ account, endpoint, type: 'offer.sent' }),
  ),
  on('releaseDeadLetter', 'dead_letter_released', 'deadLetter', ({ deadLetter = '' }) =>
    id(deadLetter),
  ),
  { ...scalar('releaseIsolatedDeliveries', 'isolated_deliveries_released'), resource: null },
  making('startRecovery', 'recovery_started', 'recovery', ({ account = '', endpoint = '' }) =>
    [
      `account: "${account}"`,
      `input: { endpoint: "${endpoint}", what: both, idempotencyKey: "k" }`,
    ].join(', '),
  ),
  byId('pauseRecovery', 'recovery_paused', 'recovery'),
  byId('resumeRecovery', 'recovery_resumed', 'recovery'),
  byId('cancelRecovery', 'recovery_cancelled', 'recovery'),
  { ...byId('deleteWebhookEndpoint', 'endpoint_deleted', 'endpoint'), selection: '' },
  byId('refundPayment', 'payment_refunded', 'payment', 'input: { amountMinorUnits: 1 }'),
  making('createOffer', 'offer_created', 'newOffer', ({ account }) => inputOf(offerInput, account)),
  byId('sendOffer', 'offer_sent', 'offer'),
  byId('resendOffer', 'offer_sent', 'sentOffer'),
  byId('cancelOffer', 'offer_cancelled', 'sentOffer'),
  making('createCheckout', 'checkout_created', 'newCheckout', ({ account }) =>
    input({ ...checkoutInput, metadata: {}, account }),
  ),
  {
    ...on('recordPayment', 'payment_recorded', 'answer', ({ newCheckout = '' }) =>
      input({ checkout: newCheckout }),
    ),
    selection: '{ payment { id } }',
  },
  making('createAccount', 'account_created', 'newAccount', () => input({ name: 'New' })),
  making('createMember', 'member_created', 'newMember', ({ account }) =>
    input({ account, email: 'bo@shop.example' }, 'role: viewer'),
  ),
  on('changeMemberRole', 'member_role_changed', 'newMember', ({ account, newMember }) =>
    input({ account, member: newMember }, 'role: admin'),
  ),
  making('createCredential', 'credential_created', 'newCredential', ({ account, newMember }) =>
    input({ account, member: newMember }, 'kind: live'),
  ),
  {
    ...on('revokeCredential', 'credential_revoked', 'newCredential', ({ newCredential = '' }) =>
      id(newCredential),
    ),
    selection: '',
  },
  { ...byId('removeMember', 'member_removed', 'newMember'), selection: '' },
  on('putEventType', 'event_type_put', 'type', ({ type }) =>
    input(
      { id: type, category: 'tea', summary: 'Tea', description: 'Tea was brewed.' },
      'offered: true, validation: enforce, versions: [{ version: "v1", schema: { type: "object" }, example: {} }]',
    ),
  ),
  {
    ...on('applyCatalogue', 'event_type_put', 'type', ({ type }) => {
      const texts = { category: 'tea', summary: 'Tea time', description: 'Tea was brewed.' };
      const file = { event_types: [{ id: type, ...texts, offered: true, validation: 'enforce' }] };
      return `file: ${JSON.stringify(JSON.stringify(file))}`;
    }),
    selection: '{ missing }',
  },
  on('retireEventType', 'event_type_retired', 'type', ({ type = '' }) => id(type)),
  on('unlistEventType', 'event_type_unlisted', 'type', ({ type = '' }) => id(type)),
  {
    ...on('eraseBuyer', 'buyer_erasure_started', 'none', ({ account }) =>
      input({ account, email: 'buyer@example.com' }),
    ),
    resource: null,
  },
  {
    ...on('updatePortalSettings', 'portal_settings_updated', 'account', ({ account }) =>
      input({ account }, 'origins: ["https://shop.example"]'),
    ),
    selection: '{ origins }',
  },
  making('createPortalLink', 'portal_link_created', 'portalLink', ({ account }) =>
    input({ account }, 'role: viewer'),
  ),
  { ...byId('endPortalSession', 'portal_session_ended', 'portalSession'), selection: '' },
  {
    ...on(
      'endPortalSessions',
      'portal_session_ended',
      'none',
      ({ account = '' }) => `account: "${account}"`,
    ),
    resource: null,
    selection: '',
  },
  on('eraseAccount', 'account_erasure_started', 'other', ({ other = '' }) =>
    [`account: "${other}"`, `confirm: "${other}"`].join(', '),
  ),
  { ...on('endSession', 'session_ended', 'session', idOf('session')), selection: '' },
  { ...scalar('endOtherSessions', 'session_ended'), resource: 'otherSession' },
];

function on(
  field: string,
  action: string,
  resource: string,
  call: AuditedMutation['call'],
): AuditedMutation {
  return { field, action, resource, call, selection: '{ id }' };
}

function making(
  field: string,
  action: string,
  makes: string,
  call: AuditedMutation['call'],
): AuditedMutation {
  return { ...on(field, action, 'answer', call), makes };
}

function byId(field: string, action: string, what: string, more = ''): AuditedMutation {
  return on(field, action, what, (ids) =>
    [id(ids[what] ?? ''), `account: "${ids['account'] ?? ''}"`, more].filter(Boolean).join(', '),
  );
}

function scalar(field: string, action: string) {
  return { field, action, call: () => '', selection: '' };
}

function idOf(what: string): AuditedMutation['call'] {
  return (ids) => id(ids[what] ?? '');
}

function id(value: string): string {
  return `id: "${value}"`;
}

function input(value: object, more = ''): string {
  const members = Object.entries(value).map(([name, each]) => `${name}: ${literal(each)}`);
  return `input: { ${[...members, more].filter(Boolean).join(', ')} }`;
}

function inputOf(value: object, account: string | undefined): string {
  return `account: "${account ?? ''}", ${input(value)}`;
}

/** A value as GraphQL writes it. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, each]) => `${name}: ${literal(each)}`);
  return `{ ${members.join(', ')} }`;
}
