import type { IncomingMessage } from 'node:http';

/** One entry of a header such as Accept. */
interface Preference {
  readonly name: string;
  /** 0 forbids. */
  readonly quality: number;
}

/**
 * Chooses the media type of a response by the Accept header (RFC 9110 §12.5.1): the most specific
 * range decides about a type, and `q=0` forbids it. Parameters of a range, such as a charset, do not
 * matter, because the types of this service have none that alter the response. Without entries, the
 * client accepts everything.
 * @param types the first is the one for clients without a preference
 * @returns undefined if the client accepts none of them
 */
export function preferredType<Type extends string>(
  accept: string | undefined,
  types: readonly Type[],
): Type | undefined {
  const [first] = types;
  if (accept === undefined || accept === '*/*') return first;

  // Most clients send one of these. Parsing the header would cost more than parsing a small body.
  const named = types.find((type) => type === accept);
  if (named !== undefined) return named;

  const ranges = readPreferences(accept);
  if (ranges.length === 0) return first;

  const choices = types.flatMap((type) => {
    const choice = choiceOf(type, ranges);
    return choice ? [choice] : [];
  });

  choices.sort(
    (one, other) =>
      other.quality - one.quality || one.wildcards - other.wildcards || one.place - other.place,
  );

  return choices[0]?.type;
}

/** Whether an Accept-Encoding names the coding and does not forbid it. */
export function acceptsCoding(header: string | undefined, coding: string): boolean {
  return readPreferences(header ?? '').some(({ name, quality }) => name === coding && quality > 0);
}

/** How much a client wants a type; undefined if it does not accept it. */
function choiceOf<Type extends string>(type: Type, ranges: readonly Preference[]) {
  const names = [type, `${type.split('/', 1)[0]}/*`, '*/*'];
  for (const [wildcards, name] of names.entries()) {
    const matching = ranges.filter((range) => range.name === name);
    if (matching.length === 0) continue;

    const quality = Math.max(...matching.map((range) => range.quality));
    const place = ranges.findIndex((range) => range.name === name);
    return quality > 0 ? { type, quality, wildcards, place } : undefined;
  }
  return undefined;
}

// A quoted string may hold the character that separates entries or parameters.
const entryPattern = /(?:[^,"]|"(?:\\.|[^"\\])*"?)+/g;
const parameterPattern = /(?:[^;"]|"(?:\\.|[^"\\])*"?)+/g;

/** From 0 to 1. Anything else is ignored, so that only a 0 forbids. */
const weightPattern = /^(?:0(?:\.\d*)?|1(?:\.0*)?|\.\d+)$/;

function readPreferences(header: string): Preference[] {
  const entries = header.match(entryPattern) ?? [];
  return entries.map(readPreference).filter(({ name }) => name !== '');
}

function readPreference(entry: string): Preference {
  const parts = entry.match(parameterPattern) ?? [];
  const [name = '', ...parameters] = parts.map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => /^q\s*=/.test(parameter));
  const quality = weight?.replace(/^q\s*=\s*/, '') ?? '';
  return { name, quality: weightPattern.test(quality) ? Number(quality) : 1 };
}

/**
 * Returns each value of a header as it was sent. Node's `headers` joins repeated lines or keeps
 * only the first.
 * @param name in lower case
 */
export function headerValues({ rawHeaders }: IncomingMessage, name: string): string[] {
  const values: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const line = rawHeaders[index] ?? '';
    if (line.length === name.length && line.toLowerCase() === name) {
      values.push(rawHeaders[index + 1] ?? '');
    }
  }
  return values;
}

/** Whether If-None-Match names this entity tag, by weak comparison (RFC 9110 §13.1.2). */
export function matchesEtag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true;
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '');
  return ifNoneMatch.split(',').some((tag) => opaque(tag) === opaque(etag));
}
