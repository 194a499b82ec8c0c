import type { Issue } from '../errors.js';
import { Lru } from '../lru.js';
import { nextTurn } from '../next-turn.js';
import type { Read } from '../transaction/tx.js';
import { builtInSchema, hasBuiltInSchema } from './built-in.js';
import {
  type CompilePattern,
  compileSchema,
  maxSteps,
  type ValidateData,
} from './compile-schema.js';
import { readSchemas, type SchemasOfType, type Validation } from './definitions.js';

/** How data compares with the schema of its type and version. */
interface Validated {
  readonly validation: Validation;
  /** Which catalogue entry was used; the statement that stores the event compares it. */
  readonly revision: string;
  readonly issues: readonly Issue[];
}

/** Options of {@link EventSchemas}. */
interface EventSchemasOptions {
  readonly read: Pick<Read, 'sql'>;
  /** Called for an event that is published although its data breaks the schema. Must not throw. */
  readonly mismatched: (type: string, issues: readonly Issue[]) => void;
  /** Monotonic clock in milliseconds. */
  readonly monotonicMs: () => number;
}

/** A type as this process last read it, with its compiled schemas. */
interface CachedType {
  /** Undefined if there is no such type. */
  readonly schemas: SchemasOfType | undefined;
  /** When the read ended. A slow read is no reason to read again: the revision shows a change. */
  readonly readAt: number;
  /** When the read began. A read that began earlier does not replace this one. */
  readonly beganAt: number;
  readonly bytes: number;
  readonly validators: Map<string, ValidateData>;
  readonly compilePattern: CompilePattern | undefined;
}

/** A read of a type that has not ended. */
interface Loading {
  readonly beganAt: number;
  readonly ended: Promise<void>;
}

/** An event is refused only by what its call has read, or by what was read within this time. */
const freshMs = 1_000;

const entryBytes = 1_024;

/**
 * The size of the cache, in bytes of the texts of schemas; compiled they take about ten times as much. A type
 * that is unknown, or has no schema of an operator, has no text.
 */
const cacheBytes = [
  { upTo: entryBytes, maxWeight: 1_048_576 },
  { upTo: 16_384, maxWeight: 2 * 1_048_576 },
  { upTo: Infinity, maxWeight: 2 * 1_048_576 },
];

/**
 * After so many steps, some 10 ms, the next event waits for another turn of the event loop: publishing
 * many keeps no other request waiting for longer than this and what one event takes.
 */
const turnSteps = maxSteps / 4;

/** Stands for a type that was not read yet. It is right unless an operator changed the type. */
const unread = { validation: 'enforce', revision: '' } as const;

const openVersion = 'v1';
const builtInValidators = new Map<string, ValidateData>();

/**
 * Keeps the schemas of event types, compiled, and compares the data of events with them.
 *
 * - Publishing needs no look-up: the statement that stores an event compares the revision of its type. If
 *   that is newer, nothing is stored, and the publisher calls {@link load}.
 * - A cached schema may let an event pass at any age, but refuse it only if it was read a moment ago:
 *   see {@link mayRefuse}.
 * - Data and schemas of operators may be slow to compare. Steps are counted beforehand
 *   (compile-schema.ts), and after 10 ms of them the next event waits for another turn of the event loop.
 *
 * Everything here is a copy: a crash loses nothing.
 */
export class EventSchemas {
  readonly #options: EventSchemasOptions;
  readonly #cache = new SizedLru<CachedType>(cacheBytes);
  readonly #loading = new Map<string, Loading>();
  /** The steps that were spent in this turn of the event loop. */
  #steps = 0;
  #nextTurn: Promise<void> | undefined;

  constructor(options: EventSchemasOptions) {
    this.#options = options;
  }

  /** Compares `data` with the schema of its type and version, as far as this process knows it. */
  validate(type: string, version: string, data: unknown): Validated {
    const cached = this.#cache.get(type);
    const { validation, revision } = cached?.schemas ?? unread;
    // The statement that stores the event reports that there is no such type.
    if (cached && !cached.schemas) return { validation, revision, issues: [] };
    const validate = this.#validatorOf(type, version, cached);
    const spend = (steps: number) => this.spend(steps);
    const issues = validate ? validate(data, spend) : unknownVersion(version);
    return { validation, revision, issues };
  }

  /** Returns the time that {@link compare} takes as the beginning of a read. */
  now(): number {
    return this.#options.monotonicMs();
  }

  /**
   * Compares `data` with a version of the schemas that the caller has just read.
   * @param read the schemas, and the {@link now} at which the read began
   */
  async compare(
    { schemas, beganAt }: { readonly schemas: SchemasOfType; readonly beganAt: number },
    version: string,
    data: unknown,
  ): Promise<readonly Issue[]> {
    const { compilePattern } = await import('./patterns.js');
    while (this.isTurnOver) await this.turn();
    this.#keep(schemas.id, schemas, compilePattern, beganAt);
    return this.validate(schemas.id, version, data).issues;
  }

  /** Counts the steps that the events of this turn of the event loop take. */
  spend(steps: number): void {
    this.#steps += steps;
  }

  /** Whether the next event must wait for another turn of the event loop. */
  get isTurnOver(): boolean {
    return this.#steps >= turnSteps;
  }

  /** Waits for the next turn of the event loop. The first of several that wait may use it up. */
  turn(): Promise<void> {
    this.#nextTurn ??= nextTurn().then(() => {
      this.#steps = 0;
      this.#nextTurn = undefined;
    });
    return this.#nextTurn;
  }

  /**
   * Whether the cached schemas of a type may refuse an event.
   * @param wasRead whether the caller has read the type for this event, however long ago
   */
  mayRefuse(type: string, wasRead: boolean): boolean {
    const cached = this.#cache.get(type);
    if (!cached) return false;
    return wasRead || this.#options.monotonicMs() - cached.readAt < freshMs;
  }

  /**
   * Reads the schemas of types again, in one statement. Calls share a read that has just begun: a slow one may
   * have begun before a change that was committed before this call.
   */
  async load(types: readonly string[]): Promise<void> {
    const beganAt = this.#options.monotonicMs();
    const others = types.filter((type) => {
      const loading = this.#loading.get(type);
      return loading === undefined || beganAt - loading.beganAt >= freshMs;
    });
    if (others.length > 0) {
      const ended = this.#load(others, beganAt).finally(() => {
        for (const type of others) {
          if (this.#loading.get(type) === loading) this.#loading.delete(type);
        }
      });
      const loading: Loading = { beganAt, ended };
      for (const type of others) this.#loading.set(type, loading);
    }

    const all = types.flatMap((type) => this.#loading.get(type) ?? []);
    await Promise.all(all.map(({ ended }) => ended));
  }

  /** Reports data that breaks a schema which is not enforced. */
  mismatched(type: string, issues: readonly Issue[]): void {
    this.#options.mismatched(type, issues);
  }

  async #load(types: readonly string[], beganAt: number): Promise<void> {
    const rows = await readSchemas(this.#options.read, types);
    const schemas = new Map(rows.map((row) => [row.id, row]));
    // Loaded late: in most installations operators put no types.
    const hasPutSchemas = rows.some(({ versions }) => versions.length > 0);
    const patterns = hasPutSchemas ? await import('./patterns.js') : undefined;

    for (const type of types)
      this.#keep(type, schemas.get(type), patterns?.compilePattern, beganAt);
  }

  /**
   * Caches what was read, unless a read that began later has ended. Schemas of the same revision stay compiled.
   */
  #keep(
    type: string,
    schemas: SchemasOfType | undefined,
    compilePattern: CompilePattern | undefined,
    beganAt: number,
  ): void {
    const readAt = this.#options.monotonicMs();
    const before = this.#cache.get(type);
    if (before && before.beganAt > beganAt) return;

    const isSame = before?.schemas !== undefined && before.schemas.revision === schemas?.revision;
    const cached: CachedType = isSame
      ? { ...before, readAt, beganAt }
      : { schemas, readAt, beganAt, bytes: sizeOf(schemas), validators: new Map(), compilePattern };

    this.#cache.set(type, cached, entryBytes + cached.bytes);
  }

  #validatorOf(
    type: string,
    version: string,
    cached: CachedType | undefined,
  ): ValidateData | undefined {
    if (hasBuiltInSchema(type)) return builtInValidator(type, version);

    const compiled = cached?.validators.get(version);
    if (compiled) return compiled;

    const versions = cached?.schemas?.versions ?? [];
    const schema = versions.find((content) => content.version === version)?.schema;
    if (schema === undefined) {
      return versions.length === 0 && version === openVersion ? () => [] : undefined;
    }

    const validate = compileSchema(schema, cached?.compilePattern);
    cached?.validators.set(version, validate);

    // Compiling counts as a whole turn, because it takes as long as one turn may take.
    this.spend(turnSteps);

    return validate;
  }
}

function builtInValidator(type: string, version: string): ValidateData | undefined {
  const name = `${type}/${version}`;
  const compiled = builtInValidators.get(name);
  if (compiled) return compiled;

  const schema = builtInSchema(type, version);
  if (schema === undefined) return undefined;
  const validate = compileSchema(schema);
  builtInValidators.set(name, validate);
  return validate;
}

function unknownVersion(version: string): Issue[] {
  const detail = `The event type has no version ${version}.`;
  return [{ code: 'unknown_event_version', detail, param: 'version' }];
}

function sizeOf(schemas: SchemasOfType | undefined): number {
  const versions = schemas?.versions ?? [];
  return versions.reduce((sum, { schema }) => sum + JSON.stringify(schema).length, 0);
}

/** Values of similar size, which are kept together. */
interface SizeClass {
  /** Values of at most this weight belong to the class. */
  readonly upTo: number;
  /** The values of the class have at most this weight in total. */
  readonly maxWeight: number;
}

/**
 * Keeps the most recently used entries, separately for each size class. So large values displace only each
 * other, and never the many small ones that together weigh as much.
 */
export class SizedLru<Value> {
  readonly #classes: readonly { readonly upTo: number; readonly entries: Lru<Value> }[];

  /** @param classes the smallest first; the last one takes all larger values, too */
  constructor(classes: readonly SizeClass[]) {
    this.#classes = classes.map(({ upTo, maxWeight }) => ({ upTo, entries: new Lru(maxWeight) }));
  }

  get(key: string): Value | undefined {
    for (const { entries } of this.#classes) {
      const value = entries.get(key);
      if (value !== undefined) return value;
    }
    return undefined;
  }

  set(key: string, value: Value, weight: number): void {
    const fits = this.#classes.find(({ upTo }) => weight <= upTo) ?? this.#classes.at(-1);
    for (const { entries } of this.#classes) entries.delete(key);
    fits?.entries.set(key, value, weight);
  }
}
