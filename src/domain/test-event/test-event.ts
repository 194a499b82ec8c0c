// Test events: events with `test` true that a member sends to one endpoint, or only to the stream. Their data is
// given, or the example of the type with fresh ids.
//
// A transaction counts what an event takes before it stores it, so an account has at most 32 MiB of them a day.
import { randomUUID } from 'node:crypto';
import { recordChange } from '../audit/audit-log.js';
import { getEndpoint } from '../endpoint/endpoints.js';
import { DomainError, type Issue, validationFailed } from '../errors.js';
import { builtInSchema } from '../event-type/built-in.js';
import { readSchemas } from '../event-type/definitions.js';
import type { EventSchemas } from '../event-type/event-schemas.js';
import { streamOnly } from '../event/events.js';
import { prepareEvent } from '../event/prepare-event.js';
import { preparationOf, publishPrepared } from '../event/publish.js';
import type { Published } from '../event/store-events.js';
import { singleRow } from '../transaction/rows.js';
import type { Statement, Tx } from '../transaction/tx.js';
import { Column, Entity, PrimaryColumn } from '../transaction/typeorm.js';
import { randomBase62 } from '../values/id.js';
import { storageProblem } from '../values/text.js';

/** How many bytes of test events an account stored on its last day with one. */
@Entity('test_event_bytes')
export class TestEventBytes {
  @PrimaryColumn({ type: 'text', collation: 'C' })
  accountId!: string;

  /** By UTC. */
  @Column('date')
  day!: string;

  @Column('bigint')
  bytes!: string;
}

type Data = Readonly<Record<string, unknown>>;

/** The endpoint, type and data of a test event. */
interface TestEventInput {
  /** Absent for an event that only the stream shows. */
  readonly endpointId?: string | undefined;
  readonly type: string;
  /** Defaults to the lowest version of the type. */
  readonly version?: string | undefined;
  /** Compared with the schema of the version. Defaults to its example with fresh ids. */
  readonly data?: Data | undefined;
}

/** The test events of an account take at most this much in one day. */
const maxMebibytesPerDay = 32;

/** What an event takes in addition to its bytes: its rows, their indexes, and the entry of the audit log. */
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
 * @param schemas the schemas that this process keeps compiled
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

/** Counts what an event takes. If the event is refused, the count is rolled back. */
async function countBytes(tx: Tx, account: string, size: number): Promise<void> {
  const { bytes, secondsLeft } = await singleRow<{ bytes: number; secondsLeft: number }>(
    tx,
    countStatement,
    [account, size],
  );
  if (bytes <= maxMebibytesPerDay * 1_048_576) return;

  const detail = `An account can send at most ${maxMebibytesPerDay} MiB of test events a day. Send more after midnight UTC.`;
  throw new DomainError('test_limit_reached', detail, undefined, Math.max(1, secondsLeft));
}

/** How to make and check the data of test events of one version of a type. */
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
  const [stored] = storageProblem(type) === undefined ? await readSchemas(tx, [type]) : [];
  const versions = stored?.versions ?? [];
  const chosen =
    version === undefined ? versions[0] : versions.find((content) => content.version === version);
  if (stored && chosen) {
    const compare = (data: Data) =>
      schemas.compare({ schemas: stored, beganAt }, chosen.version, data);
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

/** When the events in the examples of schema/events happened. */
const exampleInstant = Date.parse('2026-01-01T12:00:00.000Z');
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const idMember = /(?:^|_)id$/;
const prefixedId = /^([a-z]{2,8}_)[A-Za-z0-9]+$/;
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Builds the `data` of a test event from the example in schema/events, with ids of resources
 * that do not exist.
 * @param at when the event claims to have happened; other times keep their distance to it
 * @returns undefined for a type whose schema does not come with the service
 */
export function sampleData(type: string, at: Date): Data | undefined {
  const [sample] = (builtInSchema(type, 'v1')?.['examples'] ?? []) as readonly Data[];
  if (sample === undefined) return undefined;
  const move = (_name: string, value: unknown) =>
    typeof value === 'string' && instant.test(value)
      ? new Date(Date.parse(value) - exampleInstant + at.getTime()).toISOString()
      : value;
  return JSON.parse(JSON.stringify(withFreshIds(sample)), move) as Data;
}

/**
 * Builds the `data` of a test event of a type that an operator put: its example with fresh ids, or the
 * example itself if its schema refuses those.
 * @param compare returns what in data breaks the schema
 */
async function ownSampleData(
  example: Data,
  compare: (data: Data) => Promise<readonly Issue[]>,
): Promise<Data> {
  const fresh = withFreshIds(example);
  return (await compare(fresh)).length === 0 ? fresh : example;
}

/** Replaces UUIDs and ids such as `ord_1` in members named `id` or `…_id`; equal ones stay equal. */
function withFreshIds(data: Data): Data {
  const ids = new Map<string, string>();
  const replace = (name: string, value: unknown) => {
    if (typeof value !== 'string' || !idMember.test(name)) return value;
    const replacement = ids.get(value);
    if (replacement !== undefined) return replacement;
    const prefix = prefixedId.exec(value)?.[1];
    if (prefix === undefined && !uuid.test(value)) return value;
    const fresh = prefix === undefined ? randomUUID() : prefix + randomBase62(24);
    ids.set(value, fresh);
    return fresh;
  };
  return JSON.parse(JSON.stringify(data), replace) as Data;
}
