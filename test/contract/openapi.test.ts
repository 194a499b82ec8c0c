import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect } from 'chai';
import { parse } from 'yaml';
import type { IssueCode } from '../../src/domain/errors.js';
import { builtInSchemas } from '../../src/domain/event-type/built-in.js';
import { commonProblems, contract } from '../../src/http/rest/contract.js';
import type { components } from '../../src/http/rest/generated/openapi-types.js';
import { type ProblemCode, problems } from '../../src/http/problems.js';
import { repositoryRoot } from '../support/repository.js';
import { tableRows } from '../support/contract.js';

type Json = Record<string, unknown>;

const text = readFileSync(join(repositoryRoot, 'schema', 'openapi.yaml'), 'utf8');
const description = parse(text) as {
  openapi: string;
  info: { version: string };
  webhooks: Record<string, Json>;
  components: { schemas: Record<string, Json>; responses: Record<string, Json> };
};

/** Every value inside, with the way to it. */
function* walk(value: unknown, path = ''): Generator<[string, Json]> {
  if (value === null || typeof value !== 'object') return;
  if (!Array.isArray(value)) yield [path, value as Json];
  for (const [name, inner] of Object.entries(value)) yield* walk(inner, `${path}/${name}`);
}

/** A file as the service serves it. */
const built = (name: string) => readFileSync(join(repositoryRoot, 'dist', 'schema', name), 'utf8');

type Schemas = components['schemas'];
/** Compiles only when both name the same; the runtime part is for the reader. */
type Same<One, Other> = [One] extends [Other] ? ([Other] extends [One] ? true : false) : false;
const compiled = <Proof extends true>(proof: Proof) => proof;

describe('schema/openapi.yaml', () => {
  it('is OpenAPI 3.1 of interface version 1.0.0', () => {
    expect(description.openapi).to.match(/^3\.1\./);
    expect(description.info.version).to.equal('1.0.0');
  });

  it('leaves no object open but the free map', () => {
    const open = [...walk(description)]
      .filter(([, { type, properties }]) => type === 'object' && properties !== undefined)
      // The problems of one status narrow the Problem beside the reference, which is closed.
      .filter(([, { $ref }]) => $ref === undefined)
      // The whole closes its parts, as the next list shows.
      .filter(([path]) => !/\/allOf\/\d+$/.test(path))
      .filter(([, { additionalProperties }]) => additionalProperties !== false)
      .map(([path]) => path);

    expect(open).to.deep.equal([
      '/components/schemas/WebhookEndpointMembers',
      '/components/schemas/EventEnvelope',
    ]);

    const unclosed = [...walk(description)]
      .filter(([, { allOf }]) => /Members|Envelope/.test(JSON.stringify(allOf)))
      .filter(([, { unevaluatedProperties }]) => unevaluatedProperties !== false)
      .map(([path]) => path);

    expect(unclosed).to.deep.equal([]);

    const free = [...walk(description)]
      .filter(([, { additionalProperties }]) => additionalProperties === true)
      .map(([path]) => path);
    expect(free).to.deep.equal([
      '/components/schemas/Checkout/properties/metadata',
      '/components/schemas/Order/properties/metadata',
      '/components/schemas/CreateOffer/properties/metadata',
      '/components/schemas/Offer/properties/metadata',
    ]);
  });

  it('H276: adds no members next to allOf, oneOf, anyOf or a reference', () => {
    const served: Readonly<Record<string, unknown>> = {
      'openapi.yaml': parse(built('openapi.yaml')),
      'openapi.json': JSON.parse(built('openapi.json')),
      ...Object.fromEntries(builtInSchemas()),
    };

    for (const [name, document] of Object.entries(served)) {
      const mixed = [...walk(document)]
        .filter(([, { allOf, oneOf, anyOf }]) => [allOf, oneOf, anyOf].some(Array.isArray))
        .filter(([, { properties, required, items }]) => properties ?? required ?? items)
        .map(([path]) => path);

      expect(mixed, name).to.deep.equal([]);

      // Generators take the reference alone: what is beside it may narrow members, not add any.
      const widened = [...walk(document)]
        .filter(([, { $ref }]) => typeof $ref === 'string')
        .filter(([, { $ref, properties, ...beside }]) => {
          const members = objectAt(document, `${String($ref)}/properties`);
          const added = Object.keys(properties ?? {}).filter((name) => !(name in members));
          return added.length > 0 || 'required' in beside || 'items' in beside;
        })
        .map(([path]) => path);
      expect(widened, name).to.deep.equal([]);
    }
  });

  it('H276: leaves members optional in clients: no schema of a component has a default', () => {
    // openapi-typescript makes a member with a default required.
    const preset = [...walk(description.components.schemas)]
      .filter(([path, { default: value }]) => value !== undefined && !path.endsWith('/properties'))
      .map(([path]) => path);
    expect(preset).to.deep.equal([]);
  });

  it('has schemas of components that a strict generator takes', () => {
    const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true });
    formats.default(ajv);
    ajv.addFormat('https-url', true);
    ajv.addFormat('mailbox', true);
    for (const keyword of ['components', 'example']) ajv.addKeyword(keyword);
    ajv.addSchema({ $id: 'openapi', components: description.components });
    for (const name of Object.keys(description.components.schemas)) {
      const compile = () => ajv.getSchema(`openapi#/components/schemas/${name}`);
      expect(compile, name).not.to.throw();
      expect(compile(), name).to.be.a('function');
    }
  });

  it('has an example of every answer, and each is valid', () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    formats.default(ajv);
    ajv.addFormat('https-url', true);
    ajv.addFormat('mailbox', true);
    ajv.addSchema({ $id: 'openapi', ...description });

    let examples = 0;

    for (const [path, media] of walk(description)) {
      if (!/content\/application~?\/?/.test(path) || media['schema'] === undefined) continue;
      if (path.startsWith('/webhooks')) continue;

      expect(media, path).to.have.property('example');

      const pointer = path
        .split('/')
        .map((name) => encodeURIComponent(name))
        .join('/');

      const pieces = pointerTo(description, media) ?? pointer;
      const validate = ajv.getSchema(`openapi#${pieces}/schema`);
      expect(validate?.(media['example']), `${path} ${ajv.errorsText(validate?.errors)}`).to.equal(
        true,
      );
      examples += 1;
    }

    expect(examples).to.be.greaterThan(20);
  });

  it('lists the codes of the one table of Problems, each under its status', () => {
    const listed = description.components.schemas['ProblemCode']?.['enum'];
    expect(Object.keys(problems)).to.have.members(listed as string[]);

    for (const [name, response] of Object.entries(description.components.responses)) {
      for (const [, { properties }] of walk(response)) {
        const { status, code } = (properties ?? {}) as Record<string, Json>;
        if (status?.['const'] === undefined) continue;
        const codes = (code?.['enum'] ?? [code?.['const']]) as (keyof typeof problems)[];
        for (const one of codes) expect(problems[one].status, name).to.equal(status['const']);
      }
    }

    for (const [status, codes] of Object.entries(commonProblems)) {
      for (const code of codes as ProblemCode[])
        expect(problems[code].status, code).to.equal(Number(status));
    }
  });

  it('lists the causes that the code can name, and no others', () => {
    type Listed = Schemas['ProblemErrorCode'];
    expect(compiled<Same<Listed, IssueCode | ProblemCode>>(true)).to.equal(true);
    // @ts-expect-error -- a cause that the contract does not list
    expect(compiled<Same<Listed, IssueCode | ProblemCode | 'other'>>(true)).to.equal(true);
    // @ts-expect-error -- a cause that the code cannot name
    expect(compiled<Same<Listed, Exclude<IssueCode, 'too_long'> | ProblemCode>>(true)).to.equal(
      true,
    );
  });

  it('can express every Problem: in an operation, or as one that any request can meet', () => {
    const common: readonly string[] = Object.values(commonProblems).flat();
    const declared = [...walk(description.components.responses)].flatMap(([, { properties }]) => {
      const { code } = (properties ?? {}) as Record<string, Json>;
      return (code?.['enum'] ?? [code?.['const']]) as string[];
    });
    expect([...common, ...declared]).to.include.members(Object.keys(problems));
  });

  it('names a permission, credentials and a rate limit for every operation', () => {
    const policies: Readonly<Record<string, string>> = {
      'webhooks.deliveries.replay': 'replay',
      'commerce.offers.send': 'mail',
      'commerce.offers.resend': 'mail',
    };
    for (const [id, { permission, credentials, rateLimit }] of Object.entries(contract)) {
      expect(permission, id).to.have.keys('name', 'level');
      expect(credentials, id).to.be.an('array').that.is.not.empty;
      expect(rateLimit, id).to.equal(policies[id] ?? 'default');
    }
  });

  it('has a webhook for exactly the event types whose data has a schema', () => {
    const types = readdirSync(join(repositoryRoot, 'schema', 'events')).map((file) =>
      file.replace(/\.v1\.json$/, ''),
    );
    expect(Object.keys(description.webhooks)).to.have.members(types);
    expect([...builtInSchemas().keys()]).to.have.members(types.map((type) => `${type}/v1`));
  });

  it('describes bodies by valid schemas, which the API takes at their word', () => {
    const ajv = new Ajv2020();
    for (const [id, { body }] of Object.entries(contract)) {
      if (body) expect(ajv.validateSchema(body.schema), id).to.equal(true);
    }
  });

  it('describes the data of events by schemas that compile and leave only metadata open', () => {
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
    formats.default(ajv);
    const folder = join(repositoryRoot, 'schema', 'events');
    for (const name of readdirSync(folder)) {
      const schema = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Json;
      expect(() => ajv.compile(schema), name).not.to.throw();
      const open = [...walk(schema)]
        .filter(([, { type }]) => type === 'object')
        .filter(([, { additionalProperties }]) => additionalProperties !== false)
        .map(([path]) => path);
      for (const path of open) expect(path, name).to.equal('/properties/metadata');
    }
  });
});

/** What a reference such as `#/components/schemas/Page` leads to; an empty object if nothing. */
function objectAt(document: unknown, reference: string): Json {
  const names = reference.split('/').slice(1);
  const found = names.reduce<unknown>(
    (value, name) => (value as Json | undefined)?.[name],
    document,
  );
  return (found ?? {}) as Json;
}

/** The JSON pointer to one object of the document. */
function pointerTo(root: unknown, wanted: unknown, path = ''): string | undefined {
  if (root === wanted) return path;
  if (root === null || typeof root !== 'object') return undefined;
  for (const [name, inner] of Object.entries(root)) {
    const step = encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));
    const found = pointerTo(inner, wanted, `${path}/${step}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

describe('the body of an offer in schema/openapi.yaml', () => {
  it('the body of an offer describes what the service refuses', () => {
    const ajv = new Ajv2020({ strict: false });
    ajv.addFormat('mailbox', true);

    const validate = ajv.compile(contract['commerce.offers.create'].body!.schema);
    const item = { name: 'Poster', quantity: 1, unit_amount_minor_units: 1_900 };
    const offer = {
      recipient_email: 'a@b.example',
      title: 'T',
      currency: 'EUR',
      line_items: [item],
    };

    expect(validate(offer)).to.equal(true);

    const whole = {
      ...item,
      product_id: 'prod_Abc1',
      tax_percentage: '19.00',
      name: 'x'.repeat(250),
    };

    expect(validate({ ...offer, line_items: Array(100).fill(whole) })).to.equal(true);
    expect(validate({ ...offer, title: '' })).to.equal(false);
    expect(validate({ ...offer, line_items: Array(101).fill(item) })).to.equal(false);

    for (const changes of [
      { name: '' },
      { name: 'x'.repeat(251) },
      { product_id: '7' },
      { product_id: `prod_${'a'.repeat(65)}` },
      { tax_percentage: '19%' },
    ]) {
      const body = { ...offer, line_items: [{ ...item, ...changes }] };
      expect(validate(body), JSON.stringify(changes).slice(0, 50)).to.equal(false);
    }
  });
});

describe('the parameters of lists in schema/openapi.yaml', () => {
  it('each parameter of a list has a format or values wherever the service refuses its form', () => {
    const free = Object.entries(contract).flatMap(([id, { query }]) =>
      (query ?? [])
        .filter(({ schema }) => 'type' in schema && schema.type === 'string')
        .filter(({ schema }) => !['enum', 'format', 'anyOf'].some((name) => name in schema))
        .map(({ name }) => `${id} ${name}`),
    );
    expect(free).to.deep.equal([
      'webhooks.endpoints.list cursor',
      'webhooks.deliveries.list cursor',
    ]);
  });

  it('the filters of payments are described as the API validates them', () => {
    const ajv = new Ajv2020();
    formats.default(ajv);

    const taken = (name: string, text: string) => {
      const parameter = contract['commerce.payments.list'].query?.find(
        (parameter) => parameter.name === name,
      );
      return ajv.validate(parameter?.schema ?? false, text);
    };

    for (const name of ['created_from', 'created_to', 'cash_flow_from', 'cash_flow_to']) {
      for (const text of ['2026-01-31', '2026-01-31T10:00:00Z', '2026-01-31T10:00:00.5+01:00']) {
        expect(taken(name, text), `${name} ${text}`).to.equal(true);
      }
      for (const text of ['2026-02-30', 'now', '1767225600', '2026-01-01T10:00:00']) {
        expect(taken(name, text), `${name} ${text}`).to.equal(false);
      }
    }

    expect(taken('buyer_email', 'ada@example.com')).to.equal(true);
    expect(taken('buyer_email', 'nobody')).to.equal(false);
  });
});

interface Description {
  readonly paths: Record<
    string,
    Record<string, { operationId?: string; responses?: Record<string, unknown> }>
  >;
  readonly components: {
    readonly schemas: {
      readonly ProblemCode: { readonly enum: string[] };
      readonly ProblemErrorCode: { readonly anyOf: { readonly enum?: string[] }[] };
    };
  };
}

const read = (path: string) => readFileSync(join(repositoryRoot, path), 'utf8');

describe('docs/contract.md and schema/openapi.yaml', () => {
  const text = read('docs/contract.md');
  const description = parse(read('schema/openapi.yaml')) as Description;

  it('docs/contract.md and openapi.yaml name the same operations with the same statuses', () => {
    const described = Object.entries(description.paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { operationId, responses = {} }]) => {
        if (operationId === undefined) return [];
        const statuses = Object.keys(responses);
        return [
          [
            `\`${operationId}\``,
            `${method.toUpperCase()} \`${path}\``,
            statuses.filter((status) => status < '400').join(' '),
            statuses.filter((status) => status >= '400').join(' '),
          ].join(' | '),
        ];
      }),
    );

    expect(described).to.have.lengthOf.above(10);
    expect(tableRows('Operations').map((cells) => cells.join(' | '))).to.have.members(described);
  });

  it('docs/contract.md and openapi.yaml name the same problems', () => {
    const codes = tableRows('Problems').map(([, code = '']) => code.replaceAll('`', ''));
    expect(codes).to.have.members(description.components.schemas.ProblemCode.enum);
  });

  it('docs/contract.md and openapi.yaml give each problem the status and title of the service', () => {
    const rows = tableRows('Problems').map((cells) => cells.slice(0, 3).join(' | '));
    expect(rows).to.have.members(
      Object.entries(problems).map(
        ([code, { status, title }]) => `${status} | \`${code}\` | ${title}`,
      ),
    );
  });

  it('docs/contract.md and openapi.yaml name the same causes of a refusal', () => {
    const problems = text.split('\n## Problems\n')[1]?.split('\n## ')[0] ?? '';
    const { anyOf } = description.components.schemas.ProblemErrorCode;
    const causes = anyOf.flatMap((schema) => schema.enum ?? []);
    expect(causes).to.have.lengthOf.above(20);
    for (const cause of causes) expect(problems).to.include(`\`${cause}\``);
  });
});
