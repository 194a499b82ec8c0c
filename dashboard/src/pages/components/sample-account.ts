import type { Viewer } from '../../api/session-state.js';
import type {
  auditLogQuery,
  endpointDisablingQuery,
  membersQuery,
  portalSessionsQuery,
} from '../../generated/documents.js';
import { hiddenText } from './sample-texts.js';
import { minutesAgo } from './sample-times.js';

export const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

export const member: membersQuery['members'][number] = {
  id: 'mem_1',
  email: 'ada@example.com',
  role: 'owner',
  createdAt: minutesAgo(9_000),
};

export const viewer: Viewer = {
  account: { id: 'acc_1', name: 'Alpine Prints' },
  member,
  permissions: { webhooks: 'write', orders: 'write' },
  portal: null,
};

const change: auditLogQuery['auditLog']['data'][number] = {
  id: 'aud_1',
  action: 'endpoint_updated',
  resourceId: 'whs_0Vb0000000000000000000a1',
  actorKind: 'session',
  credentialId: null,
  memberEmail: member.email,
  address: '192.0.2.7',
  userAgent: firefox,
  createdAt: minutesAgo(4),
  changes: [
    { field: 'description', from: 'Orders', to: hiddenText },
    { field: 'event_types', from: null, to: 'offer.sent' },
  ],
};

/** A change in a browser, one with a key, and one of an operator. */
export const changes: readonly (typeof change)[] = [
  change,
  {
    ...change,
    id: 'aud_2',
    action: 'credential_revoked',
    actorKind: 'api_key',
    memberEmail: null,
    resourceId: null,
    userAgent: 'curl/8.5.0',
    changes: [],
  },
  {
    ...change,
    id: 'aud_3',
    action: 'dead_letter_released',
    actorKind: 'operator',
    memberEmail: null,
    address: null,
    userAgent: null,
    changes: [],
  },
];

/** A member disabled an endpoint, and said why. */
export const disabling: endpointDisablingQuery['auditLog']['data'][number] = {
  actorKind: 'session',
  memberEmail: 'ann@shop.example',
  createdAt: minutesAgo(90),
  changes: [
    { field: 'active', to: 'false' },
    { field: 'reason', to: hiddenText },
  ],
};

export const portalSessions: portalSessionsQuery['portalSessions'] = ['viewer', 'developer'].map(
  (role, place) => ({
    id: `pss_${place}`,
    linkId: `plk_${place}`,
    memberId: null,
    userAgent: firefox,
    role: role === 'viewer' ? 'viewer' : 'developer',
    createdAt: minutesAgo(120),
    lastUsedAt: minutesAgo(place),
  }),
);

/** One that a member made, and one of an operator. */
export const portalLinks: portalSessionsQuery['portalLinks'] = [member.id, null].map(
  (makerId, place) => ({
    id: `plk_${place}`,
    role: 'viewer',
    makerId,
    createdAt: minutesAgo(5),
    expiresAt: minutesAgo(-10),
  }),
);
