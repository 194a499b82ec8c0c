import { recordChange } from '../audit/record-change.js';
import { ownSampleData, sampleData } from './sample-data.js';
import { getEndpoint } from '../endpoint/endpoints.js';
import { DomainError, validationFailed } from '../errors.js';
import { publishEvent } from '../event/publish.js';
import type { Published } from '../event/store-events.js';
import { builtInSchema, type JsonSchema } from '../event-type/built-in.js';
import { readDefinition } from '../event-type/definition.js';
import { storageProblem } from '../text-issues.js';
import type { Tx } from '../tx.js';

/** What a test event is of. */
export interface TestEventInput {
  /** Absent for an event that only the stream shows. */
  readonly endpointId?: string | undefined;
  readonly type: string;
  /** Defaults to the lowest version of the type. */
  readonly version?: string | undefined;
  /** Compared with the schema of the version. Defaults to its example with fresh ids. */
  readonly data?: Readonly<Record<string, unknown>> | undefined;
}

/** Stands for an endpoint that no account has. */
const streamOnly = 'stream';

/**
 * Sends a sample event to one endpoint, even if it does not subscribe to the type. The event is
 * signed and has `test` true. It gets one attempt, which does not count for disabling. Without an
 * endpoint the event is on the stream, and no endpoint gets it.
 * @throws DomainError not_found
 * @throws DomainError endpoint_inactive
 * @throws DomainError validation_failed for a type or version that is unknown or that is not sent, and
 *   for data that breaks the schema
 */
export async function sendTestEvent(
  tx: Tx,
  account: string,
  { endpointId, type, version, data }: TestEventInput,
): Promise<Published> {
  if (endpointId !== undefined) await requireActive(tx, account, endpointId);
  const sample = await sampleOf(tx, type, version);
  if (data) await rejectMismatch(data, sample);
  const subject = `test:${endpointId ?? account}`;
  const resource = endpointId === undefined ? {} : { resource: endpointId };
  const changes = [{ field: 'type', to: type }];
  recordChange(tx, { action: 'test_event_sent', account, ...resource, changes });
  return publishEvent(tx, account, {
    ...{ type, subject, version: sample.version, data: data ?? sample.data },
    ...{ test: true, endpointId: endpointId ?? streamOnly },
  });
}

async function requireActive(tx: Tx, account: string, endpointId: string): Promise<void> {
  const { active } = await getEndpoint(tx, account, endpointId);
  if (active) return;
  throw new DomainError('endpoint_inactive', 'The endpoint is not active. Activate it first.');
}

async function rejectMismatch(
  data: object,
  { schema, version }: { schema: JsonSchema; version: string | undefined },
): Promise<void> {
  const [{ compileSchema }, { compilePattern }] = await Promise.all([
    import('../event-type/compile-schema.js'),
    import('../event-type/patterns.js'),
  ]);
  // Schemas that come with the service are written for the patterns of JavaScript.
  const isBuiltIn = version === undefined;
  const issues = compileSchema(schema, isBuiltIn ? undefined : compilePattern)(data);
  if (issues.length > 0) throw validationFailed(issues);
}

async function sampleOf(tx: Tx, type: string, version: string | undefined) {
  const builtIn = sampleData(type, tx.now);
  if (builtIn && (version === undefined || version === 'v1')) {
    return { version: undefined, data: builtIn, schema: builtInSchema(type, 'v1') ?? {} };
  }
  const found = storageProblem(type) === undefined ? await readDefinition(tx, type) : undefined;
  const versions = found?.versions ?? [];
  const chosen =
    version === undefined ? versions[0] : versions.find((each) => each.version === version);
  if (chosen) {
    return { ...chosen, data: await ownSampleData(chosen) };
  }
  const param = builtIn || versions.length > 0 ? 'version' : 'type';
  const detail =
    param === 'type'
      ? 'Must be an event type that the service emits.'
      : 'Must be a version of the type.';
  throw validationFailed([{ code: 'invalid_value', detail, param }]);
}
