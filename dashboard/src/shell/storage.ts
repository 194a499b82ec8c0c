/** What is used of the browser's storage. */
interface Storage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
}

const browser = globalThis as unknown as { readonly localStorage: Storage };

/** Reads a choice of this browser; null where it stores nothing. */
export function readChoice(key: string): string | null {
  try {
    return browser.localStorage.getItem(`signalpost.${key}`);
  } catch {
    return null;
  }
}

/** Keeps a choice in this browser. One that stores nothing forgets it with the page. */
export function storeChoice(key: string, value: string): void {
  try {
    browser.localStorage.setItem(`signalpost.${key}`, value);
  } catch {
    // The choice holds until the page is loaded again.
  }
}
