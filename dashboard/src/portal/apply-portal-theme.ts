import type { PortalTheme } from './portal-theme.js';
import { themeColours } from './theme-rule.js';

/**
 * Gives the page the look of the account. Every colour was parsed: none of them can be anything else in
 * a style sheet.
 */
export function applyPortalTheme(theme: PortalTheme): void {
  const { style, dataset } = document.documentElement;
  for (const [name, { light, dark }] of Object.entries(themeColours(theme).colours)) {
    style.setProperty(`--${name}`, `light-dark(${light}, ${dark})`);
  }
  if (theme.scheme === 'light' || theme.scheme === 'dark') dataset['theme'] = theme.scheme;
  else delete dataset['theme'];
}
