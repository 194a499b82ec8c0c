/** A line of formatted JSON. Names and values are spelled as in the source. */
export interface JsonLine {
  readonly depth: number;
  /** The member's name with its quotation marks. */
  readonly key?: string;
  /** A scalar, an empty container, or a bracket. */
  readonly value: string;
  readonly kind: 'string' | 'number' | 'word' | 'bracket';
  comma: boolean;
  /** The line of the closing bracket, for one that opens a container. */
  end?: number;
  /** Members or items of that container. */
  size?: number;
}

const token = /[{}[\],:]|"(?:[^"\\]|\\.)*"|[-\d][-+.\deE]*|true|false|null/g;
const closing: Readonly<Record<string, string>> = { '{': '}', '[': ']' };

/**
 * Formats JSON in lines. Numbers keep all their digits, and members their order, even repeated ones.
 * @returns undefined for a text that is not JSON
 */
export function jsonLines(source: string): readonly JsonLine[] | undefined {
  if (!isJson(source)) return undefined;

  const lines: JsonLine[] = [];
  const open: number[] = [];
  let key: string | undefined;
  let last = '';
  const push = (value: string, kind: JsonLine['kind']) => {
    const parent = lines[open.at(-1) ?? -1];
    if (parent) parent.size = (parent.size ?? 0) + 1;
    lines.push({
      depth: open.length,
      value,
      kind,
      comma: false,
      ...(key !== undefined && { key }),
    });
    key = undefined;
  };

  for (const [symbol] of source.matchAll(token)) {
    const previous = lines.at(-1);

    if (symbol === '{' || symbol === '[') {
      push(symbol, 'bracket');
      open.push(lines.length - 1);
    } else if (symbol === '}' || symbol === ']') {
      closeContainer(lines, open.pop() ?? 0);
    } else if (symbol === ',') {
      if (previous) previous.comma = true;
    } else if (symbol === ':') {
      // What looked like a string was the name of a member.
      const name = lines.pop();
      const parent = lines[open.at(-1) ?? -1];
      if (parent) parent.size = (parent.size ?? 1) - 1;
      key = name?.value;
    } else {
      push(symbol, kindOf(symbol));
    }

    last = symbol;
  }

  return last === '' ? undefined : lines;
}

/** The indexes of the lines that are visible while some containers are folded. */
export function unfoldedLines(
  lines: readonly JsonLine[],
  folded: ReadonlySet<number>,
): readonly number[] {
  const shown: number[] = [];
  for (let place = 0; place < lines.length; place += 1) {
    shown.push(place);
    const end = lines[place]?.end;
    if (end !== undefined && folded.has(place)) place = end;
  }
  return shown;
}

function closeContainer(lines: JsonLine[], place: number): void {
  const start = lines[place];
  if (!start) return;
  const bracket = closing[start.value] ?? '';
  if (start.size === undefined) {
    lines[place] = { ...start, value: start.value + bracket };
    return;
  }
  start.end = lines.length;
  lines.push({ depth: start.depth, value: bracket, kind: 'bracket', comma: false });
}

function kindOf(scalar: string): JsonLine['kind'] {
  if (scalar.startsWith('"')) return 'string';
  return /^[-\d]/.test(scalar) ? 'number' : 'word';
}

function isJson(source: string): boolean {
  try {
    JSON.parse(source);
    return true;
  } catch {
    return false;
  }
}
