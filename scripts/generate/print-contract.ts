import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const header = '// Made by "npm run generate" from schema/openapi.yaml.\n';

type Json = Record<string, unknown>;

/** Reads a member of an OpenAPI document, whose shape is unknown here. */
const member = (value: unknown, name: string): unknown => (value as Json | undefined)?.[name];
const object = (value: unknown): Json => (value ?? {}) as Json;
const list = (value: unknown): Json[] => (value ?? []) as Json[];

/** Generates the parts of the contract that the REST API needs as values, with all references resolved. */
export function printContract(root: string): Promise<string> {
  const document = parse(readFileSync(join(root, 'schema', 'openapi.yaml'), 'utf8')) as Json;
  const resolve = resolver(document);
  const { title, version, summary } = object(document['info']);
  const operations: Json = {};
  for (const [path, item] of Object.entries(object(document['paths']))) {
    for (const method of ['get', 'post', 'patch', 'put', 'delete']) {
      const operation = member(item, method);
      if (!operation) continue;
      const parameters = [
        ...list(member(item, 'parameters')),
        ...list(member(operation, 'parameters')),
      ];
      const id = String(member(operation, 'operationId'));
      operations[id] = operationValue(
        method,
        path,
        operation as Json,
        resolve(parameters) as Json[],
        resolve,
      );
    }
  }
  const text = [
    `/** The operations of the public contract by operationId. */`,
    `export const contract = ${print(operations)} as const;`,
    ``,
    `/** Title, version and summary of the interface. */`,
    `export const info = ${print({ title, version, summary })} as const;`,
    ``,
    `/** Codes that any request may get, by status. */`,
    `export const commonProblems = ${print(document['x-common-problems'])} as const;`,
    ``,
  ].join('\n');
  return Promise.resolve(header + text);
}

function operationValue(
  method: string,
  path: string,
  operation: Json,
  parameters: Json[],
  resolve: (value: unknown) => unknown,
): Json {
  const of = (place: string) => parameters.filter((parameter) => parameter['in'] === place);
  const responses = object(operation['responses']);
  const success = Object.keys(responses).find((status) => status.startsWith('2')) ?? '';
  const response = object(resolve(responses[success]));
  const problems = Object.keys(responses).filter((status) => status !== success);
  const content = object(member(operation['requestBody'], 'content'));
  const [bodySchema] = Object.values(content).map((media) => resolve(member(media, 'schema')));
  return {
    method: method.toUpperCase(),
    path,
    permission: operation['x-permission'],
    credentials: operation['x-credentials'],
    rateLimit: operation['x-rate-limit'],
    takesKey: of('header').some(({ name }) => name === 'Idempotency-Key'),
    // Only a list that declares 422 validates its query.
    query:
      method === 'get' && problems.includes('422')
        ? of('query').map(({ name, schema }) => ({ name, schema }))
        : null,
    body:
      bodySchema === undefined
        ? null
        : {
            limits: bodyLimits(operation['requestBody']),
            required: member(operation['requestBody'], 'required') === true,
            schema: bodySchema,
          },
    status: Number(success),
    response: member(member(response['content'], 'application/json'), 'schema') ?? null,
    problems: problems.map(Number),
  };
}

/** The limits of a request body, which openapi.yaml gives for each one. */
function bodyLimits(requestBody: unknown): Json {
  const { content, 'x-max-bytes': maxBytes, 'x-max-values': maxValues } = object(requestBody);
  if (typeof maxBytes !== 'number' || typeof maxValues !== 'number') {
    throw new Error(
      'schema/openapi.yaml: a request body lacks x-max-bytes or x-max-values; add both',
    );
  }
  return { contentTypes: Object.keys(object(content)), maxBytes, maxValues };
}

/** Resolves every reference in the document; keeps members next to a reference. */
function resolver(document: Json): (value: unknown) => unknown {
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve);
    if (value === null || typeof value !== 'object') return value;
    const { $ref, ...rest } = value as Json;
    const siblings = Object.fromEntries(
      Object.entries(rest)
        .filter(
          ([name, inner]) =>
            name !== 'example' && !(name === 'description' && typeof inner === 'string'),
        )
        .map(([name, inner]) => [name, resolve(inner)]),
    );
    if (siblings['unevaluatedProperties'] === false) return closed(siblings);
    if (typeof $ref !== 'string' || !$ref.startsWith('#/')) return siblings;
    const target = $ref.slice(2).split('/').reduce<unknown>(member, document);
    if (target === undefined) throw new Error(`schema/openapi.yaml: nothing at ${$ref}`);
    return { ...(resolve(target) as Json), ...siblings };
  };
  return resolve;
}

/** Merges the schemas of `allOf` into one: the REST API does not read `allOf`. */
function closed({ allOf, required, properties }: Json): Json {
  const parts = [...list(allOf), { required, properties }];
  return {
    type: 'object',
    required: parts.flatMap((part) => list(part['required'])),
    properties: Object.assign({}, ...parts.map((part) => part['properties'])) as Json,
    additionalProperties: false,
  };
}

function print(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
