import type { EndedAttempt } from '../rules/attempt.js';

/**
 * In SQL: stores the evidence of attempts whose records are written.
 * @param parameter what {@link evidenceParameter} returned
 * @param recorded selects the ids of those records
 */
export const storeEvidence = (parameter: string, recorded: string): string => `
      insert into delivery_evidence (
        delivery_id, url, request_headers, phase, address, tls_version, detail, lookup_ms,
        connect_ms, tls_ms, first_byte_ms, total_ms, response_headers, body, body_truncated)
      select e."deliveryId", e.url, e."requestHeaders", e.phase, e.address, e."tlsVersion",
             e.detail, e."lookupMs", e."connectMs", e."tlsMs", e."firstByteMs", e."totalMs",
             e."responseHeaders", decode(e.body, 'base64'), e."bodyTruncated"
        from json_to_recordset(${parameter}::json) e (
               "deliveryId" text, url text, "requestHeaders" json, phase text, address text,
               "tlsVersion" text, detail text, "lookupMs" int, "connectMs" int, "tlsMs" int,
               "firstByteMs" int, "totalMs" int, "responseHeaders" json, body text,
               "bodyTruncated" boolean)
       where e."deliveryId" in (${recorded})`;

/** The evidence of these attempts, as a parameter of a statement. */
export function evidenceParameter(ended: readonly EndedAttempt[]): string {
  return JSON.stringify(
    ended.flatMap(({ deliveryId, evidence }) => (evidence ? [{ deliveryId, ...evidence }] : [])),
  );
}
