/** Members that a person at a terminal does not read; the JSON form has them. */
const hidden = new Set([
  'level',
  'time',
  'name',
  'process',
  'pid',
  'msg',
  'err',
  'settings',
  'account',
  'credential',
  'client_request_id',
  'operation',
]);

/** Members whose value explains itself. */
const bare = new Set(['method', 'path', 'status', 'event_type', 'outcome']);

const labels: Readonly<Record<number, string>> = { 40: 'WARN ', 50: 'ERROR ', 60: 'FATAL ' };

/** Control characters except the line feed, and those that reorder or hide text. */
const unprintable = /(?!\n)[\p{Cc}\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/gu;

interface LoggedError {
  readonly type?: string;
  readonly message?: string;
  readonly code?: string;
  readonly stack?: string;
  readonly cause?: LoggedError;
}

interface LogLine extends Readonly<Record<string, unknown>> {
  readonly time?: string;
  readonly process?: string;
  readonly level?: number;
  readonly msg?: string;
  readonly err?: LoggedError;
}

/**
 * Turns one JSON line of the log into lines for a person: local time, process, message, and the
 * members that matter. An error and its causes follow on lines of their own. No text of a client
 * controls the terminal. Text that is no JSON stays as it is.
 */
export function humanLine(json: string): string {
  let line: LogLine;
  try {
    line = JSON.parse(json) as LogLine;
  } catch {
    return json;
  }
  const { time = '', process: name = '', level = 30, msg = '', err } = line;
  const words = Object.entries(line).flatMap(([member, value]) => describe(member, value));
  const head = [`${clockOf(time)} ${name.padEnd(6)} ${labels[level] ?? ''}${msg}`, ...words];
  return `${[oneLine(head.join(' ')), ...(err ? explain(err) : [])].join('\n')}\n`;
}

function clockOf(time: string): string {
  const at = new Date(time);
  const two = (value: number) => String(value).padStart(2, '0');
  return [at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(':');
}

function describe(member: string, value: unknown): string[] {
  if (hidden.has(member) || value === null || value === undefined) return [];
  if (member === 'duration_ms') return [`${JSON.stringify(value)} ms`];
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return [bare.has(member) ? text : `${member}=${text}`];
}

function explain({ type, message, code, stack, cause }: LoggedError): string[] {
  const title = `${type ?? 'Error'}: ${message ?? ''}${code === undefined ? '' : ` (${code})`}`;
  const frames = (stack ?? '').split('\n').filter((each) => /^\s+at /.test(each));
  return [
    ...title.split('\n').map((part) => `  ${printable(part)}`),
    ...frames.map((frame) => `      ${printable(frame.trim())}`),
    ...(cause ? ['  caused by:', ...explain(cause)] : []),
  ];
}

function oneLine(text: string): string {
  return printable(text).replaceAll('\n', '\\n');
}

function printable(text: string): string {
  return text.replace(
    unprintable,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
