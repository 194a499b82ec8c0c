import { type CST, Document, parseDocument, Parser, visit } from 'yaml';
import { z } from 'zod';
import { type Issue, validationFailed } from '../../domain/errors.js';
import type { EventTypeDefinition, EventTypeInput } from '../../domain/event-type/definitions.js';
import { numberChange } from '../../domain/values/json-number.js';

/** Reports at most so many issues of one file. */
const maxIssues = 20;

/** Maximum nesting depth: that of a JSON body, plus the levels around the schemas. */
const maxDepth = 100;

const json = z.record(z.string(), z.unknown());
const eventType = z.strictObject({
  id: z.string(),
  category: z.string(),
  summary: z.string(),
  description: z.string(),
  offered: z.boolean(),
  validation: z.enum(['enforce', 'warn']),
  listed: z.boolean().optional(),
  versions: z.record(z.string(), z.strictObject({ schema: json, example: json })).default({}),
});
const catalogue = z.strictObject({ event_types: z.array(eventType) });

/** Reads one event type, as YAML or JSON. @throws DomainError validation_failed */
export function parseEventType(text: string): EventTypeInput {
  return inputOf(parse(text, eventType));
}

/** Reads a catalogue, as YAML or JSON. @throws DomainError validation_failed */
export function parseCatalogue(text: string): EventTypeInput[] {
  const types = parse(text, catalogue).event_types.map(inputOf);
  const ids = types.map(({ id }) => id);
  const twice = ids.find((id, place) => ids.indexOf(id) !== place);
  if (twice !== undefined) throw invalid([`The file lists the event type ${twice} twice.`]);
  return types;
}

/**
 * Writes a catalogue as YAML. {@link parseCatalogue} reads it back, and the bytes stay the same. What a
 * terminal or an editor would not show is escaped.
 */
export function printCatalogue(types: readonly EventTypeDefinition[]): string {
  const entries = types.map(({ id, category, summary, description, ...type }) => ({
    id,
    category,
    summary,
    description,
    offered: type.offered,
    validation: type.validation,
    ...(!type.listed && { listed: false }),
    ...(type.versions.length > 0 && {
      versions: Object.fromEntries(
        type.versions.map(({ version, schema, example }) => [version, { schema, example }]),
      ),
    }),
  }));

  const document = new Document({ event_types: entries }, { aliasDuplicateObjects: false });
  visit(document, {
    Scalar(_key, node) {
      // Only a text in double quotes may hold escapes.
      if (typeof node.value === 'string' && isHidden.test(node.value)) node.type = 'QUOTE_DOUBLE';
    },
  });

  return document.toString({ lineWidth: 0 }).replace(hidden, escapeOf);
}

const isHidden = /(?!\n)[\p{C}\p{Zl}\p{Zp}]/u;
const hidden = new RegExp(isHidden, 'gu');

function escapeOf(character: string): string {
  return `\\U${(character.codePointAt(0) ?? 0).toString(16).padStart(8, '0')}`;
}

function parse<Value>(text: string, shape: z.ZodType<Value>): Value {
  const refusal = refuseTokens([...new Parser().parse(text)]);
  if (refusal !== undefined) throw invalid([refusal]);

  const document = parseDocument(text);
  const [error] = document.errors;
  if (error) throw invalid([`The file is not valid YAML: ${error.message}`]);

  const number = changedNumber(document);
  if (number !== undefined) {
    throw invalid([
      `The number ${number.slice(0, 50)} does not fit a double, so its value would change.`,
    ]);
  }

  const read = shape.safeParse(document.toJS({ maxAliasCount: 0 }));
  if (read.success) return read.data;

  const lines = read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw invalid(lines.slice(0, maxIssues));
}

/** Finds a number that would not be the same in JSON, as the file spells it. */
function changedNumber(document: Document.Parsed): string | undefined {
  let changed: string | undefined;
  visit(document, {
    Scalar(_key, { value, source = String(value) }) {
      if (typeof value !== 'number' || keeps(source, value)) return undefined;
      changed = source;
      return visit.BREAK;
    },
  });
  return changed;
}

function keeps(source: string, value: number): boolean {
  if (decimal.test(source)) return numberChange(source) === undefined;
  // Hexadecimal and octal integers, infinity, and what is not a number.
  return Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value);
}

const decimal = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/i;

/**
 * Says what must not be composed to data. An alias could stand for more data than fits, and nesting without
 * a limit overflows the stack of the composer, which ends the process. So this walk is no recursion.
 */
function refuseTokens(tokens: readonly CST.Token[]): string | undefined {
  let level: readonly CST.Token[] = tokens;
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxDepth) return `The file is nested more than ${maxDepth} levels deep.`;
    const alias = level.find(isAlias);
    if (alias) return `The file uses the alias ${alias.source}. Write out the value instead.`;
    level = level.flatMap(childrenOf);
  }
  return undefined;
}

function isAlias(token: CST.Token): token is CST.FlowScalar {
  return token.type === 'alias';
}

function childrenOf(token: CST.Token): CST.Token[] {
  const children = [
    ...('value' in token ? [token.value] : []),
    ...('items' in token ? token.items.flatMap(({ key, value }) => [key, value]) : []),
  ];
  return children.filter((child) => child != null);
}

function invalid(lines: readonly string[]): Error {
  return validationFailed(lines.map((detail): Issue => ({ code: 'invalid_value', detail })));
}

function inputOf({ versions, listed, ...type }: z.infer<typeof eventType>): EventTypeInput {
  const list = Object.entries(versions).map(([version, content]) => ({ version, ...content }));
  return { ...type, ...(listed !== undefined && { listed }), versions: list };
}
