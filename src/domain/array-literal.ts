/** What an array of a statement's parameters may hold. */
export type ArrayValue = string | number | boolean | null;

/** What PostgreSQL reads as it stands; NULL is a word of its own there. */
const plain = /^(?!null$)[\w.:+-]+$/i;

/**
 * The array as PostgreSQL's text (section 8.15.6 of its manual). Columns of ids, numbers and times
 * need no quoting, so this costs a fraction of what the driver's own conversion does; everything
 * else is quoted.
 */
export function arrayLiteral(values: readonly ArrayValue[]): string {
  return `{${values.map(element).join(',')}}`;
}

function element(value: ArrayValue): string {
  if (value === null) return 'NULL';
  if (typeof value !== 'string') return String(value);
  return plain.test(value) ? value : `"${value.replace(/["\\]/g, '\\$&')}"`;
}
