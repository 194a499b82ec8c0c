/** What each shortcut runs. `g e` means g, then e. */
export interface Shortcuts {
  readonly [keys: string]: () => void;
}

/** A pressed key, and where it went. */
export interface Keystroke {
  readonly key: string;
  readonly modified: boolean;
  /** Whether it went to a field that takes text. */
  readonly typing: boolean;
  readonly at: number;
}

/** The first key of a sequence, which waits for the second. */
export interface Pending {
  readonly key: string;
  readonly at: number;
}

const pauseMs = 1_000;

/**
 * Decides which shortcut a key completes, or which sequence it starts.
 * Keys in a field and keys with a modifier belong to the browser.
 */
export function matchShortcut(
  names: readonly string[],
  pending: Pending | undefined,
  { key, modified, typing, at }: Keystroke,
): { readonly match?: string; readonly pending?: Pending } {
  if (modified || typing) return {};
  const isSecond = pending !== undefined && at - pending.at <= pauseMs;
  const sequence = isSecond ? `${pending.key} ${key}` : key;
  if (names.includes(sequence)) return { match: sequence };
  if (names.includes(key)) return { match: key };
  return names.some((name) => name.startsWith(`${key} `)) ? { pending: { key, at } } : {};
}
