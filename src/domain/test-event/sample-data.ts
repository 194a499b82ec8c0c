import { randomUUID } from 'node:crypto';
import type { Issue } from '../errors.js';
import { builtInSchema } from '../event-type/built-in.js';
import { randomBase62 } from '../id.js';

type Data = Readonly<Record<string, unknown>>;

/** When the events of the examples in schema/events happen. */
const exampleInstant = Date.parse('2026-01-01T12:00:00.000Z');
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const idMember = /(?:^|_)id$/;
const prefixedId = /^([a-z]{2,8}_)[A-Za-z0-9]+$/;
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Builds the `data` of a test event from the example in schema/events, with ids that refer to
 * nothing.
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
 * Builds the `data` of a test event of an operator's type: its example with fresh ids, or the example
 * itself where its schema refuses those.
 * @param compare finds what in data breaks the schema
 */
export async function ownSampleData(
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
    const known = ids.get(value);
    if (known !== undefined) return known;
    const prefix = prefixedId.exec(value)?.[1];
    if (prefix === undefined && !uuid.test(value)) return value;
    const fresh = prefix === undefined ? randomUUID() : prefix + randomBase62(24);
    ids.set(value, fresh);
    return fresh;
  };
  return JSON.parse(JSON.stringify(data), replace) as Data;
}
