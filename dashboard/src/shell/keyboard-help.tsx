import { Fragment } from 'preact';
import { Button } from '../components/button.js';
import { Dialog } from '../components/dialog.js';
import { fill, text } from '../texts/text.js';
import type { MenuEntry } from './navigation.js';
import { enableShortcuts, shortcutsEnabled } from './shortcuts.js';

interface KeyboardHelpProps {
  readonly entries: readonly MenuEntry[];
  readonly onClose: () => void;
}

/** Lists the shortcuts, and switches them. */
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
