import { signal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { matchShortcut, type Pending, type Shortcuts } from './shortcut-rules.js';
import { readChoice, storeChoice } from './storage.js';

/** Whether single keys act. A member can switch them off, because they disturb voice control. */
export const shortcutsEnabled = signal(readChoice('shortcuts') !== 'off');

/** Switches the shortcuts, and remembers it in this browser. */
export function enableShortcuts(enabled: boolean): void {
  shortcutsEnabled.value = enabled;
  storeChoice('shortcuts', enabled ? 'on' : 'off');
}

/** Acts on keys while the component is shown. Later components win. */
export function useShortcuts(shortcuts: Shortcuts): void {
  // Kept over the renders between the two keys of a sequence.
  const pending = useRef<Pending | undefined>(undefined);
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (!shortcutsEnabled.value || event.defaultPrevented || event.isComposing) return;
      const target = event.target instanceof Element ? event.target : undefined;
      const decision = matchShortcut(Object.keys(shortcuts), pending.current, {
        key: event.key,
        modified: event.ctrlKey || event.metaKey || event.altKey,
        // A dialog has the keyboard to itself.
        typing: target?.closest('input, textarea, select, [contenteditable], dialog') != null,
        at: event.timeStamp,
      });
      pending.current = decision.pending;
      if (decision.match === undefined) return;
      event.preventDefault();
      shortcuts[decision.match]?.();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  });
}
