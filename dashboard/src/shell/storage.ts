/** The part of the browser's storage that pages use. */
interface Storage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
}

const browser = globalThis as unknown as { readonly localStorage: Storage };

/** Reads a choice that this browser remembers; null without one. */
export function readChoice(key: string): string | null {
  try {
    return browser.localStorage.getItem(`signalpost.${key}`);
  } catch {
    return null;
  }
}

/** Makes this browser remember a choice, unless it refuses to store anything. */
export function storeChoice(key: string, value: string): void {
  try {
    browser.localStorage.setItem(`signalpost.${key}`, value);
  } catch {
    // The choice holds until the page is reloaded.
  }
}
