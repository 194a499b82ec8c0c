// Types of the Python client. A TypedDict says nothing of members that it does not name: its objects are open, as the
// description of the interface asks of clients.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

type Value = string | boolean | null;

/** The keywords of JSON Schema that schema/openapi.yaml and schema/events describe data with. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: Value;
  readonly enum?: readonly Value[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly schema: Schema;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly content: { readonly 'application/json': { readonly schema: Schema } };
  };
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
  };
}

/** A member of an object. */
interface Member {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string | undefined;
}

const schemaPath = '#/components/schemas/';
/** The schema that all events have in common. */
const envelope = 'EventEnvelope';

const header = `# Made by "npm run generate" from schema/openapi.yaml; changes belong there.
"""What requests, responses and events of \`/v1\` hold. Members may be added to the latter two."""

import sys
from typing import Any, Literal

if sys.version_info >= (3, 11):
    from typing import NotRequired, TypedDict
else:
    from typing_extensions import NotRequired, TypedDict`;

/**
 * Generates the types of the Python client from schema/openapi.yaml: its schemas, the query of each list, and
 * each event.
 * @throws Error for a schema that has no type in Python yet
 */
export function printPythonTypes(root: string): Promise<string> {
  const file = join(root, 'schema', 'openapi.yaml');
  const types = new PythonTypes(root, parse(readFileSync(file, 'utf8')) as Description);
  return Promise.resolve(types.print());
}

/** Definitions in the order in which Python can read them: a name comes after the names in it. */
class PythonTypes {
  readonly #definitions: string[] = [];
  readonly #names = new Set<string>();
  /** The name of each class by its members, so that equal objects inside others are one class. */
  readonly #classes = new Map<string, string>();

  constructor(
    readonly root: string,
    readonly description: Description,
  ) {}

  print(): string {
    const { paths, webhooks, components } = this.description;
    const parts = Object.values(components.schemas).flatMap(({ allOf = [] }) => allOf);
    const isPart = (name: string) => parts.some(({ $ref }) => $ref === schemaPath + name);
    for (const name of Object.keys(components.schemas)) {
      if (!this.#isWrapper(name) && !isPart(name) && name !== envelope) this.#component(name);
    }

    for (const item of Object.values(paths)) {
      for (const [method, operation] of Object.entries(item)) {
        if (method === 'get') this.#query(operation);
      }
    }

    const events = this.#events(webhooks);
    this.#definitions.push(`Event = ${broken(events.join(' | '), '')}
"""An event of a type that comes with the service. Take another one as an \`${envelope}\`."""`);
    return `${[header, ...this.#definitions].join('\n\n\n')}\n`;
  }

  /** Whether an object only wraps `data`, which the client takes out. */
  #isWrapper(name: string): boolean {
    const { properties = {} } = this.description.components.schemas[name] ?? {};
    return Object.keys(properties).join() === 'data';
  }

  #query({ operationId, summary, parameters = [] }: Operation): void {
    const members = parameters
      .map((parameter) => this.#parameter(parameter))
      .filter((parameter) => parameter.in === 'query')
      .map(({ name, description, schema }) => ({
        name,
        description,
        type: this.#type(schema, ''),
        required: false,
      }));
    if (members.length > 0) {
      this.#class(`${className(operationId)}Query`, members, `Filters and pages of: ${summary}.`);
    }
  }

  #parameter(parameter: Parameter): Parameter {
    const name = /^#\/components\/parameters\/(.+)$/.exec(parameter.$ref ?? '')?.[1];
    return (name && this.description.components.parameters[name]) || parameter;
  }

  /**
   * Defines a class for each event, and one for others. They share what no type of event refines.
   * @returns the events that type checkers tell apart by `type`
   */
  #events(webhooks: Description['webhooks']): string[] {
    const all = this.#members({ $ref: schemaPath + envelope }, envelope);
    const isShared = ({ name }: Member) => name !== 'type' && name !== 'data';
    const base = this.#class('EventMembers', all.filter(isShared), undefined);
    const define = (name: string, members: readonly Member[], description?: string) =>
      this.#class(
        name,
        members.filter((member) => !isShared(member)),
        description,
        base,
      );

    const events = Object.entries(webhooks).map(([type, { post }]) => {
      const schema = post.requestBody?.content['application/json'].schema;
      if (!schema) throw new Error(`schema/openapi.yaml: ${type} has no body`);
      const name = className(type);
      return define(`${name}Event`, this.#members(schema, name), post.summary);
    });
    define(envelope, all, this.description.components.schemas[envelope]?.description);
    return events;
  }

  /** Defines a schema of `components`. @returns its type */
  #component(name: string): string {
    const schema = this.description.components.schemas[name];
    if (!schema) throw new Error(`schema/openapi.yaml has no schema ${name}`);
    if (this.#names.has(name)) return name;
    if (isObject(schema)) return this.#object(schema, name);

    const type = this.#type(schema, name);
    if (!type.includes('Literal[')) return type;

    this.#names.add(name);
    const text = docstring(schema.description, '');
    this.#definitions.push(`${wrapped(`${name} = `, type)}\n${text}`.trimEnd());
    return name;
  }

  /** Returns the type of a value. An object inside another is named `name`. */
  #type(schema: Schema, name: string): string {
    if (schema.$ref !== undefined) return this.#reference(schema.$ref, name);

    const alternatives = schema.oneOf ?? schema.anyOf;
    if (alternatives) return union(alternatives.map((part) => this.#type(part, name)));

    const values = schema.const === undefined ? schema.enum : [schema.const];
    if (values) {
      const texts = values.filter((value) => value !== null);
      return union([literal(texts), ...(values.includes(null) ? ['None'] : [])]);
    }

    if (isObject(schema)) return this.#object(schema, name);
    return union([schema.type ?? []].flat().map((type) => this.#simpleType(type, schema, name)));
  }

  #simpleType(type: string, { items = {} }: Schema, name: string): string {
    if (type === 'array') return `list[${this.#type(items, name)}]`;

    const simple = {
      string: 'str',
      integer: 'int',
      number: 'float',
      boolean: 'bool',
      null: 'None',
      object: 'dict[str, Any]',
    }[type];
    if (simple === undefined) throw new Error(`${name}: no type in Python for ${type}`);
    return simple;
  }

  #reference(reference: string, name: string): string {
    return reference.startsWith(schemaPath)
      ? this.#component(reference.slice(schemaPath.length))
      : this.#type(this.#schemaAt(reference), name);
  }

  #schemaAt(reference: string): Schema {
    const found = this.description.components.schemas[reference.slice(schemaPath.length)];
    if (reference.startsWith(schemaPath) && found) return found;
    return JSON.parse(readFileSync(join(this.root, 'schema', reference), 'utf8')) as Schema;
  }

  #object(schema: Schema, name: string): string {
    return this.#class(name, this.#members(schema, name), schema.description);
  }

  /** The members of an object, those of `allOf` included; a later part refines a member of an earlier one. */
  #members(schema: Schema, name: string): readonly Member[] {
    const members = new Map<string, Member>();
    for (const part of [...(schema.allOf ?? []), schema]) {
      const {
        allOf,
        properties = {},
        required = [],
      } = part.$ref ? this.#schemaAt(part.$ref) : part;
      if (allOf && part !== schema) throw new Error(`${name}: allOf within allOf`);

      for (const [member, inner] of Object.entries(properties)) {
        members.set(member, {
          name: member,
          type: this.#type(inner, name + className(member)),
          required: required.includes(member) || members.get(member)?.required === true,
          description: inner.description ?? members.get(member)?.description,
        });
      }
    }
    return [...members.values()];
  }

  /** Defines a class, unless one inside another object has the same members. @returns its name */
  #class(
    name: string,
    members: readonly Member[],
    description: string | undefined,
    base = 'TypedDict',
  ): string {
    const shape =
      base + JSON.stringify(members.map((member) => ({ ...member, description: null })));
    const isComponent = name in this.description.components.schemas;
    const same = isComponent ? undefined : this.#classes.get(shape);
    if (same !== undefined) return same;

    if (this.#names.has(name)) throw new Error(`two Python types are named ${name}`);
    this.#names.add(name);
    if (!this.#classes.has(shape)) this.#classes.set(shape, name);

    const allOptional = members.every(({ required }) => !required);
    const lines = members.map((member) => {
      const type = member.required || allOptional ? member.type : `NotRequired[${member.type}]`;
      return `${wrapped(`    ${member.name}: `, type)}\n${docstring(member.description)}`;
    });
    const bases = allOptional ? `${base}, total=False` : base;
    const text = docstring(description);
    const body = `${text}${text && '\n'}${lines.join('')}`;
    this.#definitions.push(`class ${name}(${bases}):\n${body}`.trimEnd());
    return name;
  }
}

function isObject({ properties, allOf }: Schema): boolean {
  return properties !== undefined || allOf !== undefined;
}

/** `cart.order.completed` and `line_items` as names of classes. */
function className(name: string): string {
  return name.replace(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(' | ');
}

function literal(values: readonly Value[]): string {
  const texts = values.map((value) => {
    if (typeof value === 'boolean') return value ? 'True' : 'False';
    return JSON.stringify(value);
  });
  return `Literal[${texts.join(', ')}]`;
}

const lineWidth = 100;

/** Puts a type after its name, on several lines if one is too short. */
function wrapped(before: string, type: string): string {
  if (before.length + type.length <= lineWidth) return before + type;
  return before + broken(type, /^ */.exec(before)?.[0] ?? '');
}

/** A type on several lines, as Python's formatters break it. */
function broken(type: string, indent: string): string {
  const parts = type.split(' | ');
  if (parts.length > 1) {
    const lines = parts.map((part) => wrapped(`${indent}    `, part).trimStart());
    return `(\n${indent}    ${lines.join(`\n${indent}    | `)}\n${indent})`;
  }

  const [, values = ''] = /^Literal\[(.*)\]$/.exec(type) ?? [];
  const lines = values.split(', ').map((value) => `${indent}    ${value},\n`);
  return `Literal[\n${lines.join('')}${indent}]`;
}

/** A description as the docstring of what stands above it; empty without one. */
function docstring(description: string | undefined, indent = '    '): string {
  if (description === undefined) return '';

  const text = `"""${description
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/\\|"(?="|$)/g, '\\$&')}"""`;
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines.at(-1) ?? '';
    if (indent.length + last.length + word.length >= lineWidth) lines.push(word);
    else lines.splice(-1, 1, last === '' ? word : `${last} ${word}`);
  }
  return lines.map((line) => `${indent}${line}\n`).join('');
}
