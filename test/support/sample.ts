import { builtInSchema } from '../../src/domain/event-type/built-in.js';

/** Data that fits the schema of `type`, with `changes`; only `changes` for a type without one. */
export function sampleOf(type: string, changes: object = {}): Record<string, unknown> {
  const [example] = (builtInSchema(type, 'v1')?.['examples'] ?? []) as readonly object[];
  return { ...example, ...changes };
}
