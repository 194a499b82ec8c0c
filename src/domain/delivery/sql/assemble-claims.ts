import type { SealedSecret } from '../../sealer.js';
import type { Claim, ClaimedEvent } from '../claim.js';

/**
 * A pending delivery that was claimed. Columns that the claims of an endpoint or event share are
 * set in one of their rows only.
 */
export interface ClaimedRow {
  readonly pendingDeliveryId: string;
  readonly endpointId: string;
  readonly eventId: string;
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly replayedFrom: string | null;
  readonly test: boolean;
  readonly token: number;
  readonly ctid: string;
  readonly claimedMs: number;
  readonly accountId: string | null;
  readonly url: string | null;
  readonly maxPerSecond: number | null;
  /** `<key id> <hex>` of each, newest first. One text costs a tenth of two arrays to read. */
  readonly secrets: string | null;
  readonly type: string | null;
  readonly version: string | null;
  readonly body: string | null;
  readonly traceparent: string | null;
  readonly sendsTraceparent: boolean | null;
}

type ClaimedEndpoint = Pick<Claim, 'accountId' | 'url' | 'maxPerSecond' | 'secrets'>;

export interface Claimed {
  readonly claims: Claim[];
  /** Pending deliveries whose events are past retention. */
  readonly orphans: readonly ClaimedRow[];
}

/**
 * Copies shared columns to all rows. Each row that has its event becomes a claim, the others are
 * orphans.
 */
export function assembleClaims(rows: readonly ClaimedRow[]): Claimed {
  const events = new Map<string, ClaimedEvent>();
  const endpoints = new Map<string, ClaimedEndpoint>();
  for (const row of rows) {
    const { eventId, type, version, body, endpointId, accountId, url, maxPerSecond, secrets } = row;
    if (type !== null && version !== null && body !== null) {
      const event = { id: eventId, type, version, body: Buffer.from(body) };
      const { traceparent, sendsTraceparent } = row;
      if (traceparent === null) events.set(eventId, event);
      else
        events.set(eventId, { ...event, traceparent, sendsTraceparent: sendsTraceparent === true });
    }
    if (accountId !== null && url !== null) {
      endpoints.set(endpointId, {
        accountId,
        url,
        maxPerSecond,
        secrets: sealedSecrets(secrets ?? ''),
      });
    }
  }
  const claimedAt = new Date(rows[0]?.claimedMs ?? 0);
  const claims = rows.flatMap((row) => {
    const { pendingDeliveryId, token, ctid, endpointId } = row;
    const { attempt, maxAttempts, replayedFrom, test } = row;
    const event = events.get(row.eventId);
    const endpoint = endpoints.get(endpointId);
    if (!event || !endpoint) return [];
    const { accountId, url, maxPerSecond, secrets } = endpoint;
    return {
      pendingDeliveryId,
      token,
      ctid,
      accountId,
      endpointId,
      url,
      maxPerSecond,
      secrets,
      event,
      attempt,
      maxAttempts,
      replayedFrom,
      test,
      claimedAt,
    };
  });
  return { claims, orphans: rows.filter(({ eventId }) => !events.has(eventId)) };
}

function sealedSecrets(text: string): SealedSecret[] {
  if (text === '') return [];
  return text.split(',').map((entry) => {
    const [keyId = '', hex = ''] = entry.split(' ');
    return { keyId, sealed: Buffer.from(hex, 'hex') };
  });
}
