import { builtInSchema } from '../event-type/built-in.js';

/** When the events of the examples in schema/events happen. */
const exampleInstant = Date.parse('2026-01-01T12:00:00.000Z');
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/**
 * Builds the `data` of a test event from the example in schema/events. Its ids refer to nothing.
 * @param at when the event claims to have happened; other times keep their distance to it
 * @returns undefined for a type that the service does not send
 */
export function sampleData(type: string, at: Date): Readonly<Record<string, unknown>> | undefined {
  const [sample] = (builtInSchema(type, 'v1')?.['examples'] ?? []) as readonly unknown[];
  if (sample === undefined) return undefined;
  const move = (_name: string, value: unknown) =>
    typeof value === 'string' && instant.test(value)
      ? new Date(Date.parse(value) - exampleInstant + at.getTime()).toISOString()
      : value;
  return JSON.parse(JSON.stringify(sample), move) as Record<string, unknown>;
}
