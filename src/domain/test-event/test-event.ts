import { recordChange } from '../audit/record-change.js';
import { ownSampleData, sampleData } from './sample-data.js';
import { getEndpoint } from '../endpoint/endpoints.js';
import { DomainError, type Issue, validationFailed } from '../errors.js';
import { prepareEvent } from '../event/prepare-event.js';
import { preparationOf, publishPrepared } from '../event/publish.js';
import { streamOnly } from '../event/events.js';
import type { Published } from '../event/store-events.js';
import type { EventSchemas } from '../event-type/event-schemas.js';
import { readSchemas } from '../event-type/definitions.js';
import { singleRow } from '../rows.js';
import { storageProblem } from '../text-issues.js';
import type { Statement, Tx } from '../tx.js';

type Data = Readonly<Record<string, unknown>>;

/** What a test event is of. */
export interface TestEventInput {
  /** Absent for an event that only the stream shows. */
  readonly endpointId?: string | undefined;
  readonly type: string;
  /** Defaults to the lowest version of the type. */
  readonly version?: string | undefined;
  /** Compared with the schema of the version. Defaults to its example with fresh ids. */
  readonly data?: Data | undefined;
}

/** Of the test events of an account in one day. */
const maxMebibytesPerDay = 32;

/** What an event takes beside its bytes: its rows, their indexes, and the entry of the audit log. */
const overheadBytes = 1_024;

const countStatement: Statement = {
  name: 'test_event_count',
  text: `
    insert into test_event_bytes as t (account_id, day, bytes)
    values ($1, (now() at time zone 'UTC')::date, $2)
    on conflict (account_id) do update
       set day = greatest(t.day, excluded.day),
           bytes = excluded.bytes + case when t.day >= excluded.day then t.bytes else 0 end
    returning t.bytes::float8 as bytes,
              ceil(extract(epoch from (t.day + 1)::timestamp at time zone 'UTC' - now()))::int
                as "secondsLeft"`,
};

/**
 * Sends a sample event to one endpoint, even if it does not subscribe to the type. The event is
 * signed and has `test` true. It gets one attempt, which does not count for disabling. Without an
 * endpoint the event is on the stream, and no endpoint gets it.
 * @param schemas those that this process keeps compiled
 * @throws DomainError not_found
 * @throws DomainError endpoint_inactive
 * @throws DomainError test_limit_reached
 * @throws DomainError validation_failed for a type or version that is unknown or that is not sent, and
 *   for data that is too large or breaks the schema
 */
export async function sendTestEvent(
  tx: Tx,
  schemas: EventSchemas,
  account: string,
  { endpointId, type, version, data }: TestEventInput,
): Promise<Published> {
  if (endpointId !== undefined) await requireActive(tx, account, endpointId);
  const content = await contentOf(tx, schemas, type, version);

  // Prepared first: it refuses data that is too large to be compared.
  const event = prepareEvent(preparationOf(tx), account, {
    type,
    subject: `test:${endpointId ?? account}`,
    version: content.version,
    data: data ?? (await content.sample()),
    test: true,
    endpointId: endpointId ?? streamOnly,
  });
  const issues = data ? await content.compare(data) : [];
  if (issues.length > 0) throw validationFailed(issues);
  await countBytes(tx, account, event.body.length + overheadBytes);

  const resource = endpointId === undefined ? {} : { resource: endpointId };
  const changes = [{ field: 'type', to: type }];
  recordChange(tx, { action: 'test_event_sent', account, ...resource, changes });
  return publishPrepared(tx, event);
}

async function requireActive(tx: Tx, account: string, endpointId: string): Promise<void> {
  const { active } = await getEndpoint(tx, account, endpointId);
  if (active) return;
  throw new DomainError('endpoint_inactive', 'The endpoint is not active. Activate it first.');
}

/** Counts what an event takes. A refusal rolls the count back. */
async function countBytes(tx: Tx, account: string, size: number): Promise<void> {
  const { bytes, secondsLeft } = await singleRow<{ bytes: number; secondsLeft: number }>(
    tx,
    countStatement,
    [account, size],
  );
  if (bytes <= maxMebibytesPerDay * 1_048_576) return;

  const detail = `Test events of an account take at most ${maxMebibytesPerDay} MiB a day. Send more after midnight UTC.`;
  throw new DomainError('test_limit_reached', detail, undefined, Math.max(1, secondsLeft));
}

/** What test events of one version of a type hold. */
interface Content {
  /** Undefined for the first version of a type of the service. */
  readonly version: string | undefined;
  readonly sample: () => Promise<Data>;
  readonly compare: (data: Data) => Promise<readonly Issue[]>;
}

async function contentOf(
  tx: Tx,
  schemas: EventSchemas,
  type: string,
  version: string | undefined,
): Promise<Content> {
  const builtIn = sampleData(type, tx.now);
  if (builtIn && (version === undefined || version === 'v1')) {
    return {
      version: undefined,
      sample: () => Promise.resolve(builtIn),
      compare: (data) => Promise.resolve(schemas.validate(type, 'v1', data).issues),
    };
  }

  const beganAt = schemas.now();
  const [found] = storageProblem(type) === undefined ? await readSchemas(tx, [type]) : [];
  const versions = found?.versions ?? [];
  const chosen =
    version === undefined ? versions[0] : versions.find((each) => each.version === version);
  if (found && chosen) {
    const compare = (data: Data) => schemas.compare({ found, beganAt }, chosen.version, data);
    return {
      version: chosen.version,
      sample: () => ownSampleData(chosen.example, compare),
      compare,
    };
  }

  const param = builtIn || versions.length > 0 ? 'version' : 'type';
  const detail =
    param === 'type'
      ? 'Must be an event type that the service emits.'
      : 'Must be a version of the type.';
  throw validationFailed([{ code: 'invalid_value', detail, param }]);
}
