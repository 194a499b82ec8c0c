/** A text that rewrites a terminal: its title, colours, lines and the order of what follows. */
export const hostileText =
  '\u001b]0;owned\u0007\u001b[2J\u009b31m\b\u007fnew\r\n\u2028\u202efdp.exe\u2066\ufeff\u{e0041}\nFORGED';

/** Returns what would control a terminal, and the lines that begin with forged text. */
export function unsafeIn(output: string): string[] {
  const unsafe = /(?!\n)[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\ufeff\u{e0000}-\u{e007f}]/gu;
  return [...(output.match(unsafe) ?? []), ...(output.match(/^FORGED.*/gm) ?? [])];
}
