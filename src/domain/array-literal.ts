/** An element of an array that is a parameter of a statement. */
export type ArrayValue = string | number | boolean | null;

/** Text that needs no quotes in an array; an unquoted NULL would mean null. */
const plain = /^(?!null$)[\w.:+-]+$/i;

/**
 * Writes an array as PostgreSQL's text (section 8.15.6 of its manual). It quotes only what needs quotes.
 * Ids, numbers and times need none, so it costs a fraction of the driver's own conversion.
 */
export function arrayLiteral(values: readonly ArrayValue[]): string {
  return `{${values.map(element).join(',')}}`;
}

function element(value: ArrayValue): string {
  if (value === null) return 'NULL';
  if (typeof value !== 'string') return String(value);
  return plain.test(value) ? value : `"${value.replace(/["\\]/g, '\\$&')}"`;
}
