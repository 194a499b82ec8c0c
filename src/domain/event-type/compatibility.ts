import { canonicalText as canonical } from '../values/canonical-json.js';
import type { JsonSchema } from './built-in.js';
import { jsonPath } from './compile-schema.js';
import { annotations } from './validate-event-type.js';

/** A change that breaks what publishers send or what receivers read. */
export interface BreakingChange {
  /** The path to the member in the data, such as `data.lines[].sku`. */
  readonly path: string;
  readonly detail: string;
}

/** At most this many changes are reported: nobody reads more at once. */
const maxChanges = 20;

type Schema = JsonSchema | boolean;
type Report = (detail: string) => void;

/**
 * Finds what a new schema of the same version breaks. Compatible means that data which was valid
 * stays valid as far as its members were declared, and that no declared member is removed. What this
 * check does not understand must be equal; otherwise it counts as breaking.
 * @param before,after schemas without references, as of {@link expandSchema}
 */
export function breakingChanges(before: JsonSchema, after: JsonSchema): BreakingChange[] {
  const changes: BreakingChange[] = [];
  compare(
    before,
    after,
    [],
    (path, detail) => void changes.push({ path: jsonPath('data', path), detail }),
  );
  return changes.slice(0, maxChanges);
}

type Path = readonly (string | number)[];
type ReportAt = (path: Path, detail: string) => void;

function compare(before: Schema, after: Schema, path: Path, reportAt: ReportAt): void {
  // Nothing was valid, so nothing can break.
  if (before === false || canonical(before) === canonical(after)) return;

  if (after === false) {
    reportAt(path, 'No longer accepts a value.');
    return;
  }

  const old = keywords(before);
  const now = keywords(after);
  const report = (detail: string) => reportAt(path, detail);
  compareTypes(old, now, report);
  compareValues(old, now, report);
  compareRequired(old, now, path, reportAt);
  for (const [name, sense] of limits) compareLimit(name, sense, old, now, report);
  compareEqual(old, now, report);
  compareMembers(old, now, path, reportAt);
  compareItems(old, now, path, reportAt);
}

function keywords(schema: Schema): JsonSchema {
  if (typeof schema === 'boolean') return {};
  const entries = Object.entries(schema).filter(
    ([name]) => !annotations.has(name) && !name.startsWith('x-'),
  );
  return Object.fromEntries(entries);
}

function compareTypes(old: JsonSchema, now: JsonSchema, report: Report): void {
  if (now['type'] === undefined) return;
  const accepted = new Set([now['type']].flat());
  const every = ['array', 'boolean', 'null', 'number', 'object', 'string'];
  const types = old['type'] === undefined ? every : [old['type']].flat();
  const lost = types.filter(
    (type) => !accepted.has(type) && !(type === 'integer' && accepted.has('number')),
  );
  if (lost.length > 0) report(`No longer accepts the type ${lost.map(String).join(', ')}.`);
}

/** `const` is an `enum` of one value. */
function compareValues(old: JsonSchema, now: JsonSchema, report: Report): void {
  const accepted = valuesOf(now);
  if (accepted === undefined) return;
  const values = valuesOf(old);
  if (values === undefined) {
    report('Is now limited to certain values.');
    return;
  }
  const lost = [...values].filter((value) => !accepted.has(value));
  if (lost.length > 0) report(`No longer accepts the value ${lost.join(', ').slice(0, 200)}.`);
}

/** Returns the values that both keywords allow, as canonical JSON. */
function valuesOf(schema: JsonSchema): ReadonlySet<string> | undefined {
  const listed = schema['enum'] as readonly unknown[] | undefined;
  const one = Object.hasOwn(schema, 'const') ? [canonical(schema['const'])] : undefined;
  if (listed === undefined) return one && new Set(one);
  const values = new Set(listed.map(canonical));
  return one ? new Set(one.filter((value) => values.has(value))) : values;
}

function compareRequired(old: JsonSchema, now: JsonSchema, path: Path, reportAt: ReportAt): void {
  const before = new Set(listOf(old['required']));
  for (const name of listOf(now['required'])) {
    if (!before.has(name)) reportAt([...path, String(name)], 'Becomes required.');
  }
}

const limits = [
  ...['exclusiveMinimum', 'minimum', 'minItems', 'minLength', 'minProperties'].map(
    (name) => [name, 1] as const,
  ),
  ...['exclusiveMaximum', 'maximum', 'maxItems', 'maxLength', 'maxProperties'].map(
    (name) => [name, -1] as const,
  ),
];

/** @param sense 1 for a lower limit, -1 for an upper one */
function compareLimit(
  name: string,
  sense: 1 | -1,
  old: JsonSchema,
  now: JsonSchema,
  report: Report,
): void {
  const limit = now[name] as number | undefined;
  if (limit === undefined) return;
  const before = old[name] as number | undefined;
  // A lower limit of 0 on a count refuses nothing.
  if (limit === 0 && /^min[IPL]/.test(name)) return;
  if (before === undefined || sense * limit > sense * before) report(`${name} is stricter.`);
}

const compared = new Set([
  'type',
  'enum',
  'const',
  'required',
  'properties',
  'additionalProperties',
  'items',
  ...limits.map(([name]) => name),
]);
/** Keywords that may be removed, but neither added nor changed. */
const removable = new Set(['format', 'pattern', 'multipleOf', 'uniqueItems']);
/** Keywords whose effect depends on which members and items the other keywords have evaluated. */
const unevaluated = ['unevaluatedProperties', 'unevaluatedItems'];

function compareEqual(old: JsonSchema, now: JsonSchema, report: Report): void {
  const dependsOnOthers = unevaluated.some((name) => name in old || name in now);
  const names = new Set([...Object.keys(old), ...Object.keys(now)]);
  for (const name of names) {
    const structural = name === 'additionalProperties' || name === 'items';
    if (compared.has(name) && !(dependsOnOthers && structural)) continue;
    if (removable.has(name) && !(name in now)) continue;
    if (name === 'uniqueItems' && now[name] === false) continue;
    if (name in old && name in now && canonical(old[name]) === canonical(now[name])) continue;
    report(`${name} differs: cannot prove that the new schema is less strict.`);
  }
}

function compareMembers(old: JsonSchema, now: JsonSchema, path: Path, reportAt: ReportAt): void {
  const before = mapOf(old['properties']);
  const after = mapOf(now['properties']);

  for (const [name, schema] of before) {
    const other = after.get(name);
    if (other === undefined) reportAt([...path, name], 'Property removed.');
    else compare(schema, other, [...path, name], reportAt);
  }

  const rest = (old['additionalProperties'] ?? true) as Schema;
  compare(rest, (now['additionalProperties'] ?? true) as Schema, [...path, '*'], reportAt);

  const added = [...after.keys()].filter((name) => !before.has(name));
  if (added.length > 0 && old['patternProperties'] !== undefined) {
    reportAt(
      [...path, added[0] ?? ''],
      'Cannot prove that the new property matches no patternProperties.',
    );
  }

  // A map of values declares every name that it has.
  const declared = typeof rest === 'object' ? rest : (old['unevaluatedProperties'] as Schema);
  if (typeof declared !== 'object') return;

  for (const [name, schema] of after) {
    if (!before.has(name)) compare(declared, schema, [...path, name], reportAt);
  }
}

function compareItems(old: JsonSchema, now: JsonSchema, path: Path, reportAt: ReportAt): void {
  const before = (old['items'] ?? true) as Schema;
  const after = (now['items'] ?? true) as Schema;
  compare(before, after, [...path, '*'], reportAt);
}

function mapOf(value: unknown): ReadonlyMap<string, Schema> {
  return new Map(Object.entries((value ?? {}) as Record<string, Schema>));
}

function listOf(value: unknown): readonly unknown[] {
  return (value ?? []) as readonly unknown[];
}
