import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type axe from 'axe-core';
import type { Frame, Locator, Page } from 'playwright-core';

/** Pages read it in two thirds of the time that `axe.source` takes. */
const source = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** Rules that look at colours. They take two thirds of the time of all. */
const colourRules = ['color-contrast', 'link-in-text-block'];

/** The rules that axe checks. */
export type CheckedRules = 'all' | 'colours' | 'others';

/** Only violations are described in full, which takes half the time. */
const options: Readonly<Record<CheckedRules, object>> = {
  all: { resultTypes: ['violations'] },
  colours: { resultTypes: ['violations'], runOnly: colourRules },
  others: {
    resultTypes: ['violations'],
    rules: Object.fromEntries(colourRules.map((rule) => [rule, { enabled: false }])),
  },
};

/**
 * Checks accessibility with axe. @returns a line for each violation
 * @param context a selector of the part to check. Defaults to the whole page
 */
export async function violationsOf(
  where: Page | Frame,
  rules: CheckedRules = 'all',
  context?: string,
): Promise<string[]> {
  if (!(await where.evaluate<boolean>(`'axe' in window`))) await where.evaluate(source);
  const given = [...(context === undefined ? [] : [context]), options[rules]];
  const { violations } = await where.evaluate<axe.AxeResults>(
    `axe.run(...${JSON.stringify(given)})`,
  );
  return violations.map(({ id, help }) => `${id}: ${help}`);
}

/** The texts that describe a field to a screen reader: its hint and its error. */
export async function describedBy(field: Locator): Promise<string> {
  const ids = (await field.getAttribute('aria-describedby')) ?? '';
  return field
    .page()
    .evaluate<string>(
      `${JSON.stringify(ids)}.split(' ').map((id) => document.getElementById(id)?.textContent).join(' ')`,
    );
}
