import { signal } from '@preact/signals';
import { inPortal } from '../api/base.js';
import { readChoice, storeChoice } from './storage.js';

/** The choices of the switch; `system` follows the device. */
export const themes = ['system', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];

/** The chosen theme. */
export const theme = signal<Theme>(
  themes.find((choice) => choice === readChoice('theme')) ?? 'system',
);

/** Applies a theme, also for later visits of this browser. */
export function chooseTheme(chosen: Theme): void {
  theme.value = chosen;
  applyTheme();
  storeChoice('theme', chosen);
}

/** Sets the attribute that tokens.css reads. */
function applyTheme(): void {
  const { dataset } = document.documentElement;
  if (theme.peek() === 'system') delete dataset['theme'];
  else dataset['theme'] = theme.peek();
}

// The account chooses the look of its portal.
if (!inPortal) applyTheme();
