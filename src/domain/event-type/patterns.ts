import { RE2JS } from 're2js';
import type { CompilePattern } from './compile-schema.js';

/** A longer text, in UTF-16 code units, matches no pattern. */
const maxTextLength = 4_096;

/** A compiled pattern has at most this many instructions: each character costs at most as many steps. */
const maxProgramSize = 1_000;

/**
 * Compiles a pattern of a schema with RE2, which never backtracks. A text of more than 4,096 UTF-16
 * code units matches no pattern.
 * @throws Error for what RE2 does not support, such as look-ahead, and for a pattern that is too large
 */
export const compilePattern: CompilePattern = (pattern) => {
  const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern));
  const size = compiled.programSize();
  if (size > maxProgramSize) throw new Error('The pattern is too large.');
  return {
    size,
    stepsFor: ({ length }) => (length > maxTextLength ? 1 : size * (length + 1)),
    test: (text) => text.length <= maxTextLength && compiled.matcher(text).find(),
  };
};
