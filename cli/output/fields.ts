import { printable } from './printable.js';
import { pad, textWidth } from './text-width.js';

/** Lays out the members of a JSON value as lines `name  value`; nested ones are indented. */
export function fieldLines(value: object, indent = ''): string[] {
  const entries = Object.entries(value);
  const width = Math.max(0, ...entries.map(([name]) => textWidth(printable(name))));
  return entries.flatMap(([name, member]: [string, unknown]) => {
    const title = `${indent}${pad(printable(name), width)}`;
    if (typeof member !== 'object' || member === null) return [`${title}  ${plain(member)}`];
    if (Array.isArray(member) && member.every((each) => typeof each !== 'object')) {
      return [`${title}  ${member.length === 0 ? '–' : member.map(plain).join(', ')}`];
    }
    const lines = fieldLines(member, `${indent}  `);
    return lines.length === 0 ? [`${title}  –`] : [title.trimEnd(), ...lines];
  });
}

function plain(value: unknown): string {
  if (value === null || value === undefined) return '–';
  return printable(typeof value === 'string' ? value : JSON.stringify(value));
}
