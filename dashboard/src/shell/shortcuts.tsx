import { signal } from '@preact/signals';
import { Fragment } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from '../components/button.js';
import { Dialog } from '../components/dialog.js';
import { fill, text } from '../texts/text.js';
import type { MenuEntry } from './navigation.js';
import { matchShortcut, type Pending, type Shortcuts } from './shortcut-rules.js';
import { readChoice, storeChoice } from './storage.js';

/** Whether single keys act. A member can switch them off, because they disturb voice control. */
const shortcutsEnabled = signal(readChoice('shortcuts') !== 'off');

/** Runs shortcuts while the component is shown. The component that was shown last wins. */
export function useShortcuts(shortcuts: Shortcuts): void {
  // A ref, because the page may render between the two keys of a sequence.
  const pending = useRef<Pending | undefined>(undefined);
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (!shortcutsEnabled.value || event.defaultPrevented || event.isComposing) return;

      const target = event.target instanceof Element ? event.target : undefined;
      const decision = matchShortcut(Object.keys(shortcuts), pending.current, {
        key: event.key,
        modified: event.ctrlKey || event.metaKey || event.altKey,
        // Shortcuts of the page behind a dialog must not run.
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

interface KeyboardHelpProps {
  readonly entries: readonly MenuEntry[];
  readonly onClose: () => void;
}

/** Lists the shortcuts, and lets the reader switch them off. */
export function KeyboardHelp({ entries, onClose }: KeyboardHelpProps) {
  const { shortcuts } = text.shell;
  const rows: readonly (readonly [keys: readonly string[], meaning: string])[] = [
    [['?'], shortcuts.help],
    [['/'], shortcuts.find],
    ...entries.map(({ key, label }) => [['g', key], fill(shortcuts.view, { label })] as const),
    [['n'], shortcuts.create],
    [['j'], shortcuts.nextRow],
    [['k'], shortcuts.previousRow],
    [['r'], shortcuts.replay],
    [['.'], shortcuts.pause],
    [['Esc'], shortcuts.close],
  ];

  return (
    <Dialog title={text.shell.keyboard} onClose={onClose}>
      <dl class="keys">
        {rows.map(([keys, meaning]) => (
          <Fragment key={meaning}>
            <dt>
              {keys.map((key, place) => (
                <Fragment key={key}>
                  {place > 0 && ` ${text.shell.then} `}
                  <kbd>{key}</kbd>
                </Fragment>
              ))}
            </dt>
            <dd>{meaning}</dd>
          </Fragment>
        ))}
      </dl>
      <label class="check">
        <input
          type="checkbox"
          checked={shortcutsEnabled.value}
          onChange={(event) => enableShortcuts(event.currentTarget.checked)}
        />
        {shortcuts.enabled}
      </label>
      <div class="dialog-actions">
        <Button onClick={onClose}>{text.common.close}</Button>
      </div>
    </Dialog>
  );
}

/** Switches the shortcuts on or off, also for later visits of this browser. */
function enableShortcuts(enabled: boolean): void {
  shortcutsEnabled.value = enabled;
  storeChoice('shortcuts', enabled ? 'on' : 'off');
}
