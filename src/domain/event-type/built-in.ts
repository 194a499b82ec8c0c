import { eventSchemas } from './generated/event-schemas.js';

/** A JSON Schema, or a part of one that is an object. */
export type JsonSchema = Readonly<Record<string, unknown>>;

const schemas = new Map(
  Object.entries(eventSchemas).map(([name, schema]) => [
    name,
    JSON.parse(JSON.stringify(schema, withoutClosingKeywords)) as JsonSchema,
  ]),
);
const types = new Set([...schemas.keys()].map((name) => name.slice(0, name.lastIndexOf('/'))));

/** Finds the schema of a type that comes with the service, as receivers see it. */
export function builtInSchema(type: string, version: string): JsonSchema | undefined {
  return schemas.get(`${type}/${version}`);
}

/** Whether the service comes with a schema of this type. Only a release changes it. */
export function hasBuiltInSchema(type: string): boolean {
  return types.has(type);
}

/** Lists the schemas that come with the service, by `<type>/<version>`. */
export function builtInSchemas(): ReadonlyMap<string, JsonSchema> {
  return schemas;
}

/**
 * Removes the keywords that close an object. Our tests need them, but a receiver that keeps today's
 * schema must accept members added later.
 */
function withoutClosingKeywords(name: string, value: unknown): unknown {
  const closes = name === 'additionalProperties' || name === 'unevaluatedProperties';
  return closes && value === false ? undefined : value;
}
