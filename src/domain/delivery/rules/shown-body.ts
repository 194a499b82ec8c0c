import type { Header } from './evidence-headers.js';

export const bodyEncodings = ['text', 'hex'] as const;

/** The first bytes of a body, as a reader can see them. */
export interface ShownBody {
  readonly encoding: (typeof bodyEncodings)[number];
  readonly content: string;
  /** Whether the receiver sent more. */
  readonly truncated: boolean;
}

const charsetOf = /;\s*charset\s*=\s*"?([^\s;"]+)/i;
/** A control character other than tab, LF and CR: terminals and pages would misread it. */
const control = /[^\P{Cc}\t\n\r]/u;

/**
 * Decodes the bytes by the charset of their Content-Type, which defaults to UTF-8. Shows them as
 * hexadecimal digits if they are compressed, not valid in that charset, or hold control characters.
 */
export function showBody(bytes: Buffer, truncated: boolean, headers: readonly Header[]): ShownBody {
  const text = decode(bytes, truncated, headers);
  return text === undefined || control.test(text)
    ? { encoding: 'hex', content: bytes.toString('hex'), truncated }
    : { encoding: 'text', content: text, truncated };
}

function decode(bytes: Buffer, truncated: boolean, headers: readonly Header[]): string | undefined {
  const valueOf = (wanted: string) => headers.find(([name]) => name === wanted)?.[1];
  const coding = valueOf('content-encoding')?.trim().toLowerCase() ?? 'identity';
  if (coding !== 'identity' && coding !== '') return undefined;
  const [, charset = 'utf-8'] = charsetOf.exec(valueOf('content-type') ?? '') ?? [];
  try {
    // As a stream, a letter that the limit cuts is left out; otherwise it is invalid.
    return new TextDecoder(charset, { fatal: true }).decode(bytes, { stream: truncated });
  } catch {
    return undefined;
  }
}
