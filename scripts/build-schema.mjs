// Builds dist/schema from schema/: the contract with its references resolved, the descriptions that
// the service serves, and the schemas of its events. As JSON, because a process that parsed openapi.yaml
// would start a quarter of a second later. Plain JavaScript; `prepare` runs it when schema/ changed.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stamp = join('dist', '.schema.stamp');

/** Stands for the base URL, which the process fills in; a string in JSON and in YAML. */
const baseUrl = '"@base_url@"';

/** The files of dist/schema. */
const names = ['contract.json', 'openapi.yaml', 'openapi.json', 'event-schemas.json'];

/** True when `dist/schema` of a folder is built from exactly its sources, or there are none. */
export function isSchemaBuilt(at = root) {
  // A container image may have only what was built.
  if (!existsSync(join(at, 'schema'))) return true;
  const files = [stamp, ...names.map((name) => join('dist', 'schema', name))];
  if (!files.every((file) => existsSync(join(at, file)))) return false;
  return readFileSync(join(at, stamp), 'utf8') === digest(at);
}

/** The SHA-256 of all that the build reads, and of this file. */
function digest(at) {
  const events = join(at, 'schema', 'events');
  const files = readdirSync(events)
    .sort()
    .map((name) => join(events, name));
  const hash = createHash('sha256');
  for (const file of [...files, join(at, 'schema', 'openapi.yaml')])
    hash.update(file.slice(at.length)).update('\0').update(readFileSync(file)).update('\0');
  hash.update(readFileSync(import.meta.filename));
  return hash.digest('hex');
}

async function build() {
  const built = digest(root);
  rmSync(join(root, stamp), { force: true });

  const folder = join(root, 'dist', 'schema');
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(await schemaFiles(root)))
    writeFileSync(join(folder, name), text);
  writeFileSync(join(root, stamp), built);
}

/**
 * The files of dist/schema, as text by name.
 * @param {string} from the folder that has schema/
 * @throws Error that names the file and what is wrong with it
 */
export async function schemaFiles(from) {
  const yaml = await import('yaml');
  const events = readEventSchemas(join(from, 'schema', 'events'));
  const text = readFileSync(join(from, 'schema', 'openapi.yaml'), 'utf8');
  const description = servedDescription(text, events, yaml);
  return {
    'contract.json': JSON.stringify(contractOf(yaml.parse(text))),
    'openapi.yaml': description,
    'openapi.json': JSON.stringify(yaml.parse(description), null, 1),
    'event-schemas.json': JSON.stringify(openSchemas(events)),
  };
}

/** The parts of the contract that the REST API needs as values. */
function contractOf(document) {
  const resolve = resolver(document);
  const operations = {};

  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of ['get', 'post', 'patch', 'put', 'delete']) {
      const operation = item[method];
      if (!operation) continue;
      const parameters = resolve([...(item.parameters ?? []), ...(operation.parameters ?? [])]);
      operations[operation.operationId] = operationOf(method, path, operation, parameters, resolve);
    }
  }

  const { title, version, summary } = document.info;
  return {
    operations,
    info: { title, version, summary },
    commonProblems: document['x-common-problems'],
  };
}

function operationOf(method, path, operation, parameters, resolve) {
  const of = (place) => parameters.filter((parameter) => parameter.in === place);
  const statuses = Object.keys(operation.responses);
  const success = statuses.find((status) => status.startsWith('2'));
  const problems = statuses.filter((status) => status !== success);
  const response = resolve(operation.responses[success]);

  // Only a list that declares 422 validates its query.
  const readsQuery = method === 'get' && problems.includes('422');
  return {
    method: method.toUpperCase(),
    path,
    permission: operation['x-permission'],
    credentials: operation['x-credentials'],
    rateLimit: operation['x-rate-limit'],
    takesKey: of('header').some(({ name }) => name === 'Idempotency-Key'),
    query: readsQuery ? of('query').map(({ name, schema }) => ({ name, schema })) : null,
    body: bodyOf(operation.requestBody, resolve),
    status: Number(success),
    response: response.content?.['application/json']?.schema ?? null,
    problems: problems.map(Number),
  };
}

function bodyOf(requestBody, resolve) {
  if (!requestBody) return null;

  const {
    content,
    required = false,
    'x-max-bytes': maxBytes,
    'x-max-values': maxValues,
  } = requestBody;
  if (typeof maxBytes !== 'number' || typeof maxValues !== 'number') {
    throw new Error(
      'schema/openapi.yaml: a request body lacks x-max-bytes or x-max-values; add both',
    );
  }

  const [media] = Object.values(content);
  return {
    limits: { contentTypes: Object.keys(content), maxBytes, maxValues },
    required,
    schema: resolve(media.schema),
  };
}

/** Resolves every reference in the document; keeps members next to a reference. */
function resolver(document) {
  const resolve = (value) => {
    if (Array.isArray(value)) return value.map(resolve);
    if (value === null || typeof value !== 'object') return value;

    const { $ref, ...rest } = value;
    const siblings = Object.fromEntries(
      Object.entries(rest)
        .filter(
          ([name, inner]) =>
            name !== 'example' && !(name === 'description' && typeof inner === 'string'),
        )
        .map(([name, inner]) => [name, resolve(inner)]),
    );
    if (siblings.unevaluatedProperties === false) return merged(siblings);
    if (typeof $ref !== 'string' || !$ref.startsWith('#/')) return siblings;

    const target = $ref
      .slice(2)
      .split('/')
      .reduce((found, name) => found?.[name], document);
    if (target === undefined) throw new Error(`schema/openapi.yaml: nothing at ${$ref}`);

    return { ...resolve(target), ...siblings };
  };
  return resolve;
}

/** Merges the schemas of `allOf` into one: the REST API does not read `allOf`. */
function merged({ allOf }) {
  return {
    type: 'object',
    required: allOf.flatMap((part) => part.required ?? []),
    properties: Object.assign({}, ...allOf.map((part) => part.properties)),
    additionalProperties: false,
  };
}

/**
 * openapi.yaml as it is served: with a placeholder for the base URL, and with the schemas of events inside,
 * because the files of schema/events have no address.
 */
function servedDescription(text, events, yaml) {
  const servers = /^servers:\n(?: .*\n)+/m;
  const schemas = /^ {2}schemas:\n/m;

  if (!servers.test(text)) throw new Error('schema/openapi.yaml: found no servers in block style');
  if (!schemas.test(text)) throw new Error('schema/openapi.yaml: found no schemas');

  const components = events.map(({ type, version, schema }) => [
    `${type}.${version}`,
    // A component may have `$schema` only beside `$id`. OpenAPI 3.1 takes this dialect anyway.
    { ...schema, $schema: undefined },
  ]);

  const inserted = yaml
    .stringify(Object.fromEntries(components), {
      // Parsers of YAML 1.1 read unquoted times as dates.
      defaultStringType: 'QUOTE_DOUBLE',
      defaultKeyType: 'PLAIN',
      lineWidth: 0,
    })
    .trimEnd()
    .replace(/^/gm, '    ');

  const served = text
    .replace(servers, `servers:\n  - url: ${baseUrl}\n`)
    .replace(/'\.\/events\/(.+)\.json'/g, "'#/components/schemas/$1'")
    .replace(schemas, (line) => `${line}${inserted}\n`);
  if (served.split(baseUrl).length !== 2)
    throw new Error(`schema/openapi.yaml: ${baseUrl} must occur exactly once`);

  return served;
}

/** Reads schema/events, sorted by file. */
function readEventSchemas(folder) {
  return readdirSync(folder)
    .sort()
    .map((file) => {
      const [, type, version] = /^(.+)\.(v\d+)\.json$/.exec(file) ?? [];
      if (!type) throw new Error(`schema/events/${file} must be named <type>.<version>.json`);
      const schema = JSON.parse(readFileSync(join(folder, file), 'utf8'));
      if (schema.examples?.length !== 1)
        throw new Error(`schema/events/${file} must have "examples" with one entry`);
      return { type, version, schema };
    });
}

/**
 * The schemas of events by `<type>/<version>`, without the keywords that close an object. Our tests need
 * them, but a receiver that keeps today's schema must accept members added later.
 */
function openSchemas(events) {
  const open = (name, value) => {
    const closes = name === 'additionalProperties' || name === 'unevaluatedProperties';
    return closes && value === false ? undefined : value;
  };
  const schemas = events.map(({ type, version, schema }) => [`${type}/${version}`, schema]);
  return JSON.parse(JSON.stringify(Object.fromEntries(schemas), open));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await build();
