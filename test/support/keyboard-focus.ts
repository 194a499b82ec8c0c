import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { eventually } from './eventually.js';

/** The focus, as a person with a keyboard sees it. */
interface SeenFocus {
  /** The id of the element, or its tag. */
  readonly name: string;
  readonly text: string;
  /** Whether it is on the screen, and nothing covers it. */
  readonly inSight: boolean;
  /** Whether an outline or a ring is around it. */
  readonly marked: boolean;
}

/** The label of a control that is transparent has its size and its ring. */
const readFocus = `(() => {
  const element = document.activeElement;
  const label = getComputedStyle(element).opacity === '0' && element.closest('label');
  const shown = label || element;
  const { outlineStyle, outlineWidth, outlineColor, boxShadow } = getComputedStyle(shown);
  const isTransparent = outlineColor === 'rgba(0, 0, 0, 0)';
  const [box] = shown.getClientRects();
  const middle = box && [box.x + box.width / 2, box.y + box.height / 2];
  return {
    name: element.id || element.localName,
    text: shown.textContent.trim().slice(0, 40),
    inSight: middle !== undefined && shown.contains(document.elementFromPoint(...middle)),
    marked:
      (outlineStyle === 'solid' && parseFloat(outlineWidth) >= 2 && !isTransparent) ||
      /\\b0px 0px 0px [2-9]px/.test(boxShadow),
  };
})()`;

const maxPresses = 100;

/**
 * Checks that the element with the focus is in sight, and looks focused.
 * @returns its id, or its tag
 */
export function expectVisibleFocus(page: Page): Promise<string> {
  return eventually(
    async () => {
      const { name, text, ...seen } = await page.evaluate<SeenFocus>(readFocus);
      expect(seen, `${name} “${text}”`).to.deep.equal({ inSight: true, marked: true });
      return name;
    },
    'the focus is visible',
    20_000,
  );
}

/** Presses Tab until `target` has the focus, which is visible at each element on the way. */
export async function tabTo(
  page: Page,
  target: Locator,
  key: 'Tab' | 'Shift+Tab' = 'Tab',
): Promise<void> {
  await target.waitFor();
  const reached = target.and(page.locator(':focus'));
  const passed: string[] = [];
  while ((await reached.count()) === 0) {
    expect(passed.length, `${key} passes ${passed.join(', ')}`).to.be.below(maxPresses);
    await page.keyboard.press(key);
    passed.push(await expectVisibleFocus(page));
  }
}
