/** A signature in base64 or hex; versions and timestamps beside it are shorter. */
const signature = /[A-Za-z0-9+/]{32,}={0,2}/g;

/** A text that is cut off shows at least this many characters of a signature, or says nothing of it. */
const shortest = 8;

/** How JSON, URLs and HTML write the characters that they escape. */
const spellings: Readonly<Record<string, string>> = {
  '+': String.raw`(?:\+|%2b|\\u002b|&#43;|&#x2b;)`,
  '/': String.raw`(?:\\?/|%2f|\\u002f|&#47;|&#x2f;)`,
  '=': '(?:=|%3d|\\\\u003d|&#61;|&#x3d;)',
};

/**
 * Returns a function that replaces the signatures of a request in a text by as many asterisks. It finds
 * them in the spellings of JSON, URLs and HTML, and where the end of the text cuts one off.
 */
export function signatureRedactor(
  headers: Readonly<Record<string, string>>,
): (text: string) => string {
  const signatures = Object.entries(headers)
    .filter(([name]) => name.toLowerCase().includes('signature'))
    .flatMap(([, value]) => value.match(signature) ?? []);
  // Few responses hold a signature, and its pattern costs more to compile than all other evidence.
  const marks = signatures.map(markOf);
  let pattern: RegExp | undefined;
  return (text) => {
    const lower = text.toLowerCase();
    if (!marks.some((mark) => lower.includes(mark))) return text;
    pattern ??= new RegExp(signatures.map(patternOf).join('|'), 'gi');
    return text.replace(pattern, (found) => '*'.repeat(found.length));
  };
}

/** Characters that each spelling of a signature holds, even a cut one, in lower case. */
function markOf(value: string): string {
  const runs = value.slice(0, shortest).toLowerCase().split(/[+/=]/);
  return runs.reduce((longest, run) => (run.length > longest.length ? run : longest));
}

/** Matches the whole of it, or as much as there is before the end. */
function patternOf(value: string): string {
  const letters = Array.from(value, (letter) => spellings[letter] ?? letter);
  const rest = letters.slice(shortest).reduceRight((tail, letter) => `(?:${letter}${tail}|$)`, '');
  return letters.slice(0, shortest).join('') + rest;
}
