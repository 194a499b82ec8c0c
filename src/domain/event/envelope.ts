/** The members of an event's envelope. `baseUrl` has no trailing slash. */
export interface EnvelopeInput {
  readonly id: string;
  readonly baseUrl: string;
  readonly type: string;
  readonly version: string;
  readonly subject: string;
  /** When it happened (RFC 3339). */
  readonly time: string;
  readonly test: boolean;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The body of a delivery has at most this many bytes. */
export const maxBodyBytes = 256 * 1024;

/**
 * Writes the CloudEvents 1.0 envelope of an event in structured mode. These bytes are stored,
 * signed and sent unchanged with every attempt and replay.
 */
export function envelopeBytes(input: EnvelopeInput): Buffer {
  const { id, baseUrl, type, version, subject, time, test, data } = input;
  return Buffer.from(
    JSON.stringify({
      specversion: '1.0',
      id,
      source: `${baseUrl}/v1/commerce`,
      type,
      subject,
      time,
      datacontenttype: 'application/json',
      dataschema: `${baseUrl}/schemas/events/${type}/${version}`,
      eventversion: version,
      test,
      data,
    }),
  );
}
