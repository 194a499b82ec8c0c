/** Reads a choice of this browser; null where it stores nothing. */
export function readChoice(key: string): string | null {
  try {
    return localStorage.getItem(`signalpost.${key}`);
  } catch {
    return null;
  }
}

/** Keeps a choice in this browser. One that stores nothing forgets it with the page. */
export function storeChoice(key: string, value: string): void {
  try {
    localStorage.setItem(`signalpost.${key}`, value);
  } catch {
    // The choice holds until the page is loaded again.
  }
}
