import { session } from '../../api/session-state.js';
import * as documents from '../../generated/documents.js';
import {
  attempts,
  body,
  changes,
  disabling,
  endpoint,
  endpoints,
  eventTypes,
  health,
  inspected,
  member,
  portalLinks,
  portalSessions,
  viewer,
} from './sample-data.js';

const page = { hasMore: false, nextCursor: null };
const key = 'sk_live_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** The answer to each document that a component of the page executes. */
const answers = new Map([
  answer(documents.endpointOptionsDocument, { endpoints: { data: [...endpoints], page } }),
  answer(documents.eventTypesDocument, { eventTypes: { data: eventTypes } }),
  answer(documents.membersDocument, { members: [member] }),
  answer(documents.auditLogDocument, { auditLog: { data: [...changes], page } }),
  answer(documents.endpointDisablingDocument, { auditLog: { data: [disabling] } }),
  answer(documents.portalSessionsDocument, { portalSessions, portalLinks }),
  answer(documents.deliveriesDocument, { deliveries: { data: [...attempts], page } }),
  answer(documents.deliveryDocument, { delivery: inspected }),
  answer(documents.eventBodyDocument, { event: { id: inspected.eventId, body } }),
  answer(documents.endpointHealthDocument, { health }),
  answer(documents.endpointFailuresDocument, {
    failures: [{ failed: 31, abandoned: 2, endpoint: { id: endpoint.id, url: endpoint.url } }],
  }),
  answer(documents.recoverableDocument, {
    health: {
      id: endpoint.id,
      lastSuccessAt: null,
      recoverable: { failed: 1_204, missed: 310, complete: false },
    },
  }),
  answer(documents.recoveriesDocument, { recoveries: { data: [], page } }),
  answer(documents.rotateSecretDocument, { rotated: { id: endpoint.id, signingSecret: secret } }),
  answer(documents.createApiKeyDocument, { issued: { id: 'key_1', token: key } }),
  answer(documents.createPortalLinkDocument, {
    created: {
      id: 'plk_1',
      url: 'https://example.com/portal/acc_1#MfKQ9r8GKYqrTwjUPD8ILPZIo2',
      expiresAt: health.disablesAt ?? '',
    },
  }),
]);

/** The answer to every other document, so that dialogs show how they report an error. */
const refusal = {
  status: 409,
  code: 'conflict',
  detail: 'This page has no service. It shows how a component says why a request failed.',
};

/** Signs in a made-up member and answers requests with made-up data, so that the page needs no service. */
export function startSampleService(): void {
  session.value = { state: 'signedIn', viewer };
  globalThis.fetch = (_, init) => {
    const { id = '' } = JSON.parse(typeof init?.body === 'string' ? init.body : '{}') as {
      readonly id?: string;
    };
    const data = answers.get(id);
    return Promise.resolve(
      data === undefined ? Response.json(refusal, refusal) : Response.json({ data }),
    );
  };
}

function answer<Result, Variables>(
  { id }: documents.Document<Result, Variables>,
  data: Result,
): readonly [id: string, data: unknown] {
  return [id, data];
}
