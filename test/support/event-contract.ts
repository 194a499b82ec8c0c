import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { parse } from 'yaml';
import { repositoryRoot } from './repository.js';

type Json = Readonly<Record<string, unknown>>;

const schema = join(repositoryRoot, 'schema');
const description = parse(readFileSync(join(schema, 'openapi.yaml'), 'utf8')) as Json;
const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
const base = 'https://contract.test';
ajv.addSchema({ ...description, $id: `${base}/openapi.yaml` });
for (const file of readdirSync(join(schema, 'events'))) {
  const text = readFileSync(join(schema, 'events', file), 'utf8');
  ajv.addSchema({ ...(JSON.parse(text) as Json), $id: `${base}/events/${file}` });
}

/** The summary of an event type in openapi.yaml. */
export function summaryOf(type: string): string {
  const hooks = description['webhooks'] as Record<string, { readonly post: Json }>;
  return String(hooks[type]?.post['summary']);
}

interface Parameter {
  readonly name: string;
  readonly schema: object;
}

/** The event types under `webhooks` in openapi.yaml. */
export const describedTypes = Object.keys(description['webhooks'] as Json);

/** The names of the headers of a delivery in openapi.yaml. */
export const describedHeaders = Object.values(
  (description['components'] as { readonly parameters: Readonly<Record<string, Json>> }).parameters,
)
  .filter((parameter) => /^(?:x-service|webhook)-/i.test(String(parameter['name'])))
  .map((parameter) => String(parameter['name']));

/**
 * Checks a delivered body against the schema of its type in openapi.yaml.
 * @throws Error that names the differences, including unknown members
 */
export function checkEvent(body: Buffer): void {
  const event = JSON.parse(body.toString('utf8')) as { readonly type: string };
  const pointer = `/webhooks/${event.type}/post/requestBody/content/application~1json/schema`;
  const validate = ajv.getSchema(`${base}/openapi.yaml#${pointer}`);
  if (!validate) throw new Error(`openapi.yaml does not know the event type ${event.type}`);
  if (validate(event)) return;
  throw new Error(`${event.type} breaks its schema: ${ajv.errorsText(validate.errors)}`);
}

/**
 * Checks the headers of a delivery against those of `type` in openapi.yaml. Ignores headers of HTTP.
 * @param headers by name in lower case
 * @throws Error that names the difference
 */
export function checkHeaders(
  type: string,
  headers: Readonly<Record<string, string | undefined>>,
): void {
  const described = parametersOf(type);
  for (const { name, schema: rule } of described) {
    const value = headers[name];
    if (value === undefined) throw new Error(`${type} lacks the header ${name}`);
    const fits: boolean = ajv.validate(rule, value);
    if (!fits) throw new Error(`${name} is ${value}, which breaks its schema`);
  }
  const names = new Set(described.map(({ name }) => name));
  const others = Object.keys(headers).filter((name) => /^(x-service|webhook)-/.test(name));
  for (const name of others) if (!names.has(name)) throw new Error(`${name} is not described`);
}

function parametersOf(type: string): Parameter[] {
  const hooks = description['webhooks'] as Record<string, { readonly post: Json }>;
  const references = hooks[type]?.post['parameters'] as readonly { readonly $ref: string }[];
  const { parameters } = description['components'] as { readonly parameters: Json };
  return references.map(({ $ref }) => {
    const { name, schema: rule } = parameters[$ref.split('/').at(-1) ?? ''] as Parameter;
    return { name: name.toLowerCase(), schema: rule };
  });
}
