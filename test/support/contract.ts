import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from './repository.js';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { parse } from 'yaml';

const text = readFileSync(join(repositoryRoot, 'docs', 'contract.md'), 'utf8');

/** Returns the cells of the tables below a heading of docs/contract.md, without their first two rows. */
export function tableRows(heading: string): string[][] {
  const section = text.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return section
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(2)
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

type EventJson = Readonly<Record<string, unknown>>;

const schema = join(repositoryRoot, 'schema');
const description = parse(readFileSync(join(schema, 'openapi.yaml'), 'utf8')) as EventJson;
const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
const base = 'https://contract.test';
ajv.addSchema({ ...description, $id: `${base}/openapi.yaml` });
for (const file of readdirSync(join(schema, 'events'))) {
  const text = readFileSync(join(schema, 'events', file), 'utf8');
  ajv.addSchema({ ...(JSON.parse(text) as EventJson), $id: `${base}/events/${file}` });
}

/** Returns the summary of an event type in openapi.yaml. */
export function summaryOf(type: string): string {
  const hooks = description['webhooks'] as Record<string, { readonly post: EventJson }>;
  return String(hooks[type]?.post['summary']);
}

interface Parameter {
  readonly name: string;
  readonly schema: object;
}

/** The event types under `webhooks` in openapi.yaml. */
export const describedTypes = Object.keys(description['webhooks'] as EventJson);

/** The names of the headers of a delivery in openapi.yaml. */
export const describedHeaders = Object.values(
  (description['components'] as { readonly parameters: Readonly<Record<string, EventJson>> })
    .parameters,
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
  const hooks = description['webhooks'] as Record<string, { readonly post: EventJson }>;
  const references = hooks[type]?.post['parameters'] as readonly { readonly $ref: string }[];
  const { parameters } = description['components'] as { readonly parameters: EventJson };
  return references.map(({ $ref }) => {
    const { name, schema: rule } = parameters[$ref.split('/').at(-1) ?? ''] as Parameter;
    return { name: name.toLowerCase(), schema: rule };
  });
}

/** A response with its request. */
export interface Answered {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly text: string;
}

type Json = Readonly<Record<string, unknown>>;

interface HeaderRule {
  readonly required?: boolean;
  readonly schema: object;
}

interface ResponseRule {
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
}

interface Operation {
  readonly path: RegExp;
  readonly method: string;
  readonly responses: Readonly<Record<string, unknown>>;
}

/** Validates responses against an OpenAPI document. */
export class ResponseContract {
  readonly #document: Json;
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });
  readonly #operations: readonly Operation[];
  readonly #validators = new WeakMap<object, ValidateFunction>();

  constructor(yaml: string) {
    this.#document = parse(yaml) as Json;
    formats.default(this.#ajv);
    this.#ajv.addSchema({ $id: 'openapi', components: this.#document['components'] });
    this.#operations = this.#readOperations();
  }

  /** Checks a response. @throws Error that lists how the response breaks the contract */
  check(answered: Answered): void {
    const { status, headers } = answered;
    if (status === 204 && answered.method === 'OPTIONS') return;

    const where = `${answered.method} ${answered.path} → ${status}`;
    const issues: string[] = [];
    this.#checkHeader('X-Request-Id', '#/components/headers/X-Request-Id', headers, issues);

    const operation = this.#operations.find(
      ({ method, path }) =>
        path.test(answered.path) && method === answered.method.replace('HEAD', 'GET'),
    );

    const declared = operation?.responses[String(status)];

    if (status < 400) {
      if (!declared) {
        // The pages of problems and schemas belong to no operation.
        if (!operation && status === 200) return;
        issues.push('the contract does not declare this status');
      } else this.#checkResponse(declared, answered, issues);
    } else this.#checkProblem(declared, answered, issues);

    if (issues.length > 0) {
      throw new Error(`${where} breaks openapi.yaml: ${issues.join('; ')}\n${answered.text}`);
    }
  }

  #checkResponse(declared: unknown, answered: Answered, issues: string[]): void {
    const { method, headers, body, text } = answered;
    const rule = this.#deref(declared) as ResponseRule;
    for (const [name, header] of Object.entries(rule.headers ?? {})) {
      this.#checkHeader(name, header, headers, issues);
    }

    const [media] = Object.entries(rule.content ?? {});
    if (!media) {
      if (text !== '' || headers['content-type']) issues.push('there must be no content');
      return;
    }

    const [type, { schema }] = media;
    const wanted = type === 'application/json' ? `${type}; charset=utf-8` : type;
    if (headers['content-type'] !== wanted) issues.push(`Content-Type must be ${wanted}`);
    if (method !== 'HEAD') this.#validate(schema, body, issues);
    this.#checkSecret(answered, issues);
  }

  /** Checks that a problem is declared by its operation, or common to all requests. */
  #checkProblem(declared: unknown, answered: Answered, issues: string[]): void {
    const { status, headers, body } = answered;
    const common = this.#document['x-common-problems'] as Record<string, readonly string[]>;
    const { code, request_id: requestId } = (body ?? {}) as Record<string, unknown>;
    const isCommon = common[String(status)]?.includes(String(code)) ?? false;

    if (answered.method === 'HEAD') return;

    if (isCommon || !declared) {
      if (!isCommon) issues.push(`problem ${String(code)} is not declared`);

      if (headers['content-type'] !== 'application/problem+json') {
        issues.push('Content-Type must be application/problem+json');
      }

      this.#validate({ $ref: '#/components/schemas/Problem' }, body, issues);

      // Which headers are present depends on the problem; their format does not.
      for (const name of ['RateLimit', 'RateLimit-Policy', 'Retry-After']) {
        if (headers[name.toLowerCase()] === undefined) continue;
        this.#checkHeader(name, `#/components/headers/${name}`, headers, issues);
      }
    } else this.#checkResponse(declared, answered, issues);

    if ((body as Record<string, unknown> | undefined)?.['status'] !== status) {
      issues.push('status and body do not agree');
    }

    if (requestId !== headers['x-request-id']) issues.push('request_id is not X-Request-Id');

    if ([429, 503].includes(status) && !/^[1-9]\d*$/.test(headers['retry-after'] ?? '')) {
      issues.push('Retry-After is missing');
    }
  }

  /** Checks a rule that a schema cannot express: only the first response shows the secret. */
  #checkSecret({ headers, body }: Answered, issues: string[]): void {
    const data = (body as { data?: Record<string, unknown> } | undefined)?.data;
    if (headers['idempotent-replayed'] && data && 'signing_secret' in data) {
      issues.push('a replayed response shows the signing secret');
    }
  }

  #checkHeader(
    name: string,
    declared: unknown,
    headers: Readonly<Record<string, string>>,
    issues: string[],
  ): void {
    const rule = this.#deref(
      typeof declared === 'string' ? { $ref: declared } : declared,
    ) as HeaderRule;
    const value = headers[name.toLowerCase()];
    if (value === undefined) {
      if (rule.required) issues.push(`the header ${name} is missing`);
    } else this.#validate(rule.schema, value, issues, name);
  }

  #validate(schema: object, value: unknown, issues: string[], what = 'body'): void {
    let validate = this.#validators.get(schema);
    if (!validate) {
      validate = this.#ajv.compile(absolute(schema) as object);
      this.#validators.set(schema, validate);
    }
    if (validate(value)) return;
    issues.push(`${what} ${this.#ajv.errorsText(validate.errors, { dataVar: '' })}`);
  }

  #deref(value: unknown): unknown {
    const { $ref } = value as { $ref?: string };
    if ($ref === undefined) return value;
    return $ref
      .slice(2)
      .split('/')
      .reduce<unknown>((inner, name) => (inner as Json)[name], this.#document);
  }

  #readOperations(): Operation[] {
    const paths = Object.entries(this.#document['paths'] as Record<string, Json>);
    return paths.flatMap(([path, item]) =>
      Object.entries(item)
        .filter(([name]) => name !== 'parameters')
        .map(([method, operation]) => ({
          path: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
          method: method.toUpperCase(),
          responses: (operation as { responses: Json }).responses,
        })),
    );
  }
}

/** Makes references absolute, so that the schema can be compiled outside of its document. */
function absolute(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(absolute);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      name === '$ref' && typeof inner === 'string' ? `openapi${inner}` : absolute(inner),
    ]),
  );
}
