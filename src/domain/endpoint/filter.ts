// The filter of an endpoint: which events it gets. A small language, spelled like SQL/JSON path:
//
//   $.data.currency == "EUR" && ($.data.total >= 10000 || exists($.data.coupon))
//   $.data.line_items[*].sku starts with "BOOK-"
//
// - One path is compared with one literal. Nothing has two paths, arithmetic, methods, or a pattern: PostgreSQL cannot
//   be interrupted within one evaluation, and those run for seconds on accepted events.
// - A comparison is true or false, never unknown. It is false if its member is missing or has another type. `[*]` means
//   any item of an array of at most 100 items.
// - Texts of users do not reach PostgreSQL as code. parseFilter makes a tree, and toJsonPath writes a strict jsonpath
//   from it: lax mode would unwrap arrays wherever it meets them.
// - What a filter reads of arrays is limited (maxArraySteps), so a thousand of the most expensive filters take at most
//   0.3 s an event.
import type { Issue } from '../errors.js';
import { countCharacters, storageProblem } from '../values/text.js';

/** What a filter compares a member with. */
type Literal =
  | { readonly kind: 'string'; readonly value: string }
  /** As JSON spells it: PostgreSQL compares it exactly. */
  | { readonly kind: 'number'; readonly text: string }
  | { readonly kind: 'constant'; readonly value: boolean | null };

type Operator = '==' | '!=' | '<' | '<=' | '>' | '>=' | 'starts with';

/** The members that lead to a value, from the envelope on. */
interface Path {
  readonly members: readonly string[];
  /** The members within each item of the array that {@link members} lead to; undefined without `[*]`. */
  readonly inItems?: readonly string[];
}

/** What a filter says. */
export type Filter =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Filter[] }
  | { readonly kind: 'not'; readonly part: Filter }
  | { readonly kind: 'exists'; readonly path: Path }
  | {
      readonly kind: 'compare';
      readonly path: Path;
      readonly operator: Operator;
      readonly literal: Literal;
    };

/** Why a text is not a filter. */
export interface FilterProblem {
  /** The character that is refused, counted from 1. */
  readonly position: number;
  readonly detail: string;
}

const maxCharacters = 1_000;
const maxComparisons = 10;
/** Each `[*]`, and each member after it, is a step for each item. */
const maxArraySteps = 10;
const maxItems = 100;
/** Numbers of JSON that the service accepts have at most 17 digits and exponents up to 308. */
const maxNumberLength = 40;
const maxExponent = 400;

const envelopeMembers = [
  'specversion',
  'id',
  'source',
  'type',
  'subject',
  'time',
  'datacontenttype',
  'dataschema',
  'eventversion',
  'test',
  'data',
];

/** Parses the text of a filter. */
export function parseFilter(text: string): Filter | FilterProblem {
  try {
    return new Parser(text).parse();
  } catch (error) {
    if (error instanceof Refused) return problemAt(text, error);
    throw error;
  }
}

/** Whether {@link parseFilter} refused the text. */
export function isProblem(result: Filter | FilterProblem): result is FilterProblem {
  return 'position' in result;
}

/** Returns the issue of a text that is not a filter; its detail names the character. */
export function filterIssue(param: string, { position, detail }: FilterProblem): Issue {
  return { code: 'invalid_value', detail: `Character ${position}: ${detail}`, param };
}

function problemAt(text: string, { offset, message }: Refused): FilterProblem {
  return { position: countCharacters(text.slice(0, offset)) + 1, detail: message };
}

/** Ends the parsing of a text. */
class Refused extends Error {
  constructor(
    /** In UTF-16 code units. */
    readonly offset: number,
    message: string,
  ) {
    super(message);
  }
}

const space = /[ \t\r\n]*/y;
const name = /[A-Za-z_][A-Za-z0-9_]*/y;
const operatorPattern = /==|!=|<>|<=|>=|<|>|=|like_regex\b|starts[ \t\r\n]+with\b/y;
const numberPattern = /-?[0-9][0-9A-Za-z_.+-]*/y;
const jsonNumber = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE]([+-]?[0-9]+))?$/;

/** Reads a text from left to right. */
class Parser {
  readonly #text: string;
  #at = 0;
  #comparisons = 0;
  #arraySteps = 0;

  constructor(text: string) {
    this.#text = text;
  }

  parse(): Filter {
    const characters = Array.from(this.#text);
    if (characters.length > maxCharacters) {
      const offset = characters.slice(0, maxCharacters).join('').length;
      throw new Refused(
        offset,
        `A filter has at most ${maxCharacters.toLocaleString('en')} characters.`,
      );
    }

    const filter = this.#or();
    if (this.#at < this.#text.length) {
      throw this.#refused(
        this.#text[this.#at] === ')' ? 'This ) closes nothing.' : 'Expected && or || or the end.',
      );
    }
    return filter;
  }

  #or(): Filter {
    return this.#joined('or', '||', () => this.#joined('and', '&&', () => this.#unary()));
  }

  #joined(kind: 'and' | 'or', sign: string, next: () => Filter): Filter {
    const parts = [next()];
    while (this.#takes(sign)) parts.push(next());
    const [only] = parts;
    return only && parts.length === 1 ? only : { kind, parts };
  }

  #unary(): Filter {
    this.#skipSpace();

    // Many `!` in a row must not make a deep tree.
    let negated = false;
    let sawNot = false;
    while (this.#text[this.#at] === '!' && this.#text[this.#at + 1] !== '=') {
      negated = !negated;
      sawNot = true;
      this.#at += 1;
      this.#skipSpace();
    }

    const part = this.#primary(sawNot);
    return negated ? negationOf(part) : part;
  }

  #primary(afterNot: boolean): Filter {
    if (this.#takes('(')) {
      const opening = this.#at - 1;
      const filter = this.#or();
      if (!this.#takes(')')) throw this.#unclosed(opening);
      return filter;
    }

    if (this.#match(/exists\b/y)) {
      if (!this.#takes('(')) throw this.#refused('Expected ( after exists.');
      const opening = this.#at - 1;
      const path = this.#path();
      if (!this.#takes(')')) throw this.#unclosed(opening, 'exists contains one path.');
      return { kind: 'exists', path };
    }

    if (this.#text[this.#at] === '$') {
      if (afterNot) throw this.#refused('Expected ( or exists after !.');
      return this.#comparison();
    }

    if (this.#at >= this.#text.length) {
      throw this.#refused('Expected a comparison such as $.data.currency == "EUR".');
    }
    throw this.#refused('Expected a path that begins with $, or exists, ! or (.');
  }

  #unclosed(opening: number, detail = 'Expected && or || or ).'): Refused {
    if (this.#at < this.#text.length) return this.#refused(detail);
    return new Refused(opening, 'This ( is not closed.');
  }

  #comparison(): Filter {
    const path = this.#path();
    this.#skipSpace();
    const operatorAt = this.#at;
    const operator = this.#operator();

    this.#skipSpace();
    const literalAt = this.#at;
    const literal = this.#literal();

    if (operator === 'starts with' && literal.kind !== 'string') {
      throw new Refused(literalAt, 'starts with takes a text in double quotes.');
    }
    if (literal.kind === 'constant' && operator !== '==' && operator !== '!=') {
      const detail = 'true, false and null have no order: compare them by == or !=.';
      throw new Refused(operatorAt, detail);
    }

    return { kind: 'compare', path, operator, literal };
  }

  #operator(): Operator {
    const found = this.#match(operatorPattern);
    switch (found) {
      case '==':
      case '!=':
      case '<':
      case '<=':
      case '>':
      case '>=':
        return found;
      case '<>':
        throw this.#refused('Write != in place of <>.', -2);
      case '=':
        throw this.#refused('Write == in place of =.', -1);
      case 'like_regex':
        throw this.#refused('Filters have no patterns. Use starts with.', -found.length);
      case undefined:
        throw this.#refused(
          '+-*/%'.includes(this.#text[this.#at] ?? ' ')
            ? 'Filters have no arithmetic: a path is compared as it is.'
            : 'Expected ==, !=, <, <=, >, >= or starts with.',
        );
      default:
        return 'starts with';
    }
  }

  #path(): Path {
    this.#skipSpace();
    const start = this.#at;
    if (this.#text[start] !== '$') throw this.#refused('Expected a path that begins with $.');
    this.#at += 1;

    this.#comparisons += 1;
    if (this.#comparisons > maxComparisons) {
      throw new Refused(start, `A filter has at most ${maxComparisons} comparisons.`);
    }

    const members: string[] = [];
    let inItems: string[] | undefined;
    for (;;) {
      const stepAt = this.#at;

      if (this.#text[stepAt] === '.') {
        this.#at += 1;
        const member = this.#member();
        if (members.length === 0 && !envelopeMembers.includes(member)) {
          const detail = `An event has no such member. It has ${envelopeMembers.join(', ')}.`;
          throw new Refused(stepAt + 1, detail);
        }
        (inItems ?? members).push(member);
      } else if (this.#text[stepAt] === '[') {
        if (!this.#match(/\[[ \t\r\n]*\*[ \t\r\n]*\]/y)) {
          throw this.#refused('Only [*] is possible here: any item of the array.');
        }
        if (members.length === 0) throw new Refused(stepAt, 'An event is not an array.');
        if (inItems) throw new Refused(stepAt, 'A path has at most one [*].');
        inItems = [];
      } else {
        break;
      }

      if (inItems && (this.#arraySteps += 1) > maxArraySteps) {
        const detail = `Too much of arrays: each [*] and each member after it counts, and a filter has at most ${maxArraySteps}.`;
        throw new Refused(stepAt, detail);
      }
    }

    if (members.length === 0) throw this.#refused('Expected a member, such as .data.');
    if (this.#match(/[ \t\r\n]*\?/y)) {
      throw this.#refused('Filters have no ?(): join comparisons by &&.', -1);
    }
    return inItems ? { members, inItems } : { members };
  }

  #member(): string {
    if (this.#text[this.#at] === '"') return this.#string();

    const start = this.#at;
    const found = this.#match(name);
    if (found === undefined) {
      throw this.#refused(
        this.#text[start] === '*'
          ? 'Filters have no wildcard: name the member.'
          : 'Expected a member. Quote names with other characters than letters, digits and _.',
      );
    }
    if (this.#text[this.#at] === '(') throw new Refused(start, 'Filters have no methods.');
    return found;
  }

  #literal(): Literal {
    const start = this.#at;
    const first = this.#text[start];
    if (first === '"') return { kind: 'string', value: this.#string() };
    if (first === '$') {
      throw this.#refused('A path is compared with a text, a number, true, false or null only.');
    }
    if (first === "'") throw this.#refused('Write texts in double quotes.');

    const number = this.#match(numberPattern);
    if (number !== undefined) return { kind: 'number', text: checkedNumber(number, start) };

    switch (this.#match(name)) {
      case 'true':
        return { kind: 'constant', value: true };
      case 'false':
        return { kind: 'constant', value: false };
      case 'null':
        return { kind: 'constant', value: null };
      case undefined:
      default:
        throw new Refused(
          start,
          'Expected a text in double quotes, a number, true, false or null.',
        );
    }
  }

  /** Reads a text in double quotes, with the escapes of JSON. */
  #string(): string {
    const start = this.#at;
    const raw = this.#match(/"(?:[^"\\]|\\[^])*"/y);
    if (raw === undefined) throw new Refused(start, 'This text is not closed.');

    for (const { 0: escape, index } of raw.matchAll(/\\(?:u[0-9A-Fa-f]{4}|[^])/g)) {
      if (!/^\\(?:u.+|["\\/bfnrt])$/.test(escape)) {
        throw new Refused(start + index, 'Unknown escape. Write a backslash as \\\\.');
      }
    }

    // JSON refuses control characters, such as a line feed, that are not escaped.
    const control = [...raw.matchAll(/\p{Cc}/gu)].find(({ 0: character }) => character < ' ');
    if (control) throw new Refused(start + control.index, 'Escape control characters, as in \\n.');

    const value = JSON.parse(raw) as string;
    const problem = storageProblem(value);
    if (problem !== undefined) throw new Refused(start, problem);
    return value;
  }

  #skipSpace(): void {
    this.#match(space);
  }

  #takes(sign: string): boolean {
    this.#skipSpace();
    if (!this.#text.startsWith(sign, this.#at)) return false;
    this.#at += sign.length;
    return true;
  }

  /** Reads what a sticky pattern matches here; undefined if it does not match. */
  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const [found] = pattern.exec(this.#text) ?? [];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  #refused(detail: string, from = 0): Refused {
    return new Refused(this.#at + from, detail);
  }
}

function checkedNumber(text: string, offset: number): string {
  const match = jsonNumber.exec(text);
  if (!match) throw new Refused(offset, 'Not a number as JSON spells it.');
  if (text.length > maxNumberLength || Math.abs(Number(match[1] ?? 0)) > maxExponent) {
    const detail = `A number has at most ${maxNumberLength} characters and an exponent of at most ${maxExponent}.`;
    throw new Refused(offset, detail);
  }
  return text;
}

function negationOf(part: Filter): Filter {
  return part.kind === 'not' ? part.part : { kind: 'not', part };
}

/** Returns a filter as a jsonpath of PostgreSQL. With `@@` it is true for an event that matches, else false. */
export function toJsonPath(filter: Filter): string {
  return `strict ${predicateOf(filter)}`;
}

/** Returns the jsonpath of a text that {@link parseFilter} accepted before. */
export function filterPathOf(text: string): string {
  const filter = parseFilter(text);
  if (isProblem(filter)) throw new Error(`A stored filter is refused: ${filter.detail}`);
  return toJsonPath(filter);
}

function predicateOf(filter: Filter): string {
  switch (filter.kind) {
    case 'and':
      return filter.parts.map(groupOf).join(' && ');
    case 'or':
      return filter.parts.map(groupOf).join(' || ');
    case 'not':
      return `!(${predicateOf(filter.part)})`;
    case 'exists':
      return definite(filter.path, (path) => `exists(${path})`);
    case 'compare':
      return definite(filter.path, (path) => comparisonOf(path, filter.operator, filter.literal));
  }
}

function groupOf(filter: Filter): string {
  const text = predicateOf(filter);
  return filter.kind === 'and' || filter.kind === 'or' ? `(${text})` : text;
}

/**
 * Writes a predicate of the value at a path that is never unknown. In strict mode a missing member is an error: an
 * inner filter turns it into no item, for each item of an array by itself.
 */
function definite({ members, inItems }: Path, predicate: (path: string) => string): string {
  const path = `@${members.map(memberOf).join('')}`;
  if (!inItems) return `exists($ ? (${predicate(path)}))`;

  const items = `${path} ? (@.size() <= ${maxItems})[*]`;
  return `exists($ ? (exists(${items} ? (${predicate(`@${inItems.map(memberOf).join('')}`)}))))`;
}

function memberOf(member: string): string {
  return `.${JSON.stringify(member)}`;
}

function comparisonOf(path: string, operator: Operator, literal: Literal): string {
  const value = literal.kind === 'number' ? literal.text : JSON.stringify(literal.value);
  return `${path} ${operator} ${value}`;
}

/**
 * Returns the text of a filter with other names and literals, such as without the address of a buyer. It stays valid if
 * `change` makes no text longer.
 */
export function mapFilterTexts(text: string, change: (text: string) => string): string {
  return text.replace(/"(?:[^"\\]|\\[^])*"/g, (raw) => {
    const before = JSON.parse(raw) as string;
    const after = change(before);
    return after === before ? raw : JSON.stringify(after);
  });
}
