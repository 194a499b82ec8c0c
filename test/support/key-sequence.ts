import type { Page } from 'playwright-core';

/**
 * Presses keys that are one shortcut, such as g, then e. The page allows 1 s between them, so the
 * second goes to the browser before the page has handled the first.
 */
export async function sendKeySequence(page: Page, ...keys: readonly string[]): Promise<void> {
  await Promise.all(keys.map((key) => page.keyboard.press(key)));
}
