import { useState } from 'preact/hooks';
import { Card } from '../../components/card.js';
import { CopyButton } from '../../components/copy-button.js';
import { CodeText } from '../../components/json-view.js';
import { fill, text } from '../../texts/text.js';
import java from './receivers/Receiver.java?raw';
import go from './receivers/receiver.go?raw';
import node from './receivers/receiver.mjs?raw';
import php from './receivers/receiver.php?raw';
import python from './receivers/receiver.py?raw';
import ruby from './receivers/receiver.rb?raw';

const texts = text.eventTypes;

/** A program that receives events of a type, in the chosen language. */
export function ReceiverCode({ type }: { readonly type: string }) {
  const [language, setLanguage] = useState(receivers[0]?.language);
  const chosen = receivers.find((receiver) => receiver.language === language);
  const code = chosen && codeFor(chosen, type);
  return (
    <Card title={texts.code}>
      <p class="soft">{texts.codeLead}</p>
      <fieldset class="themes languages">
        <legend class="visually-hidden">{texts.language}</legend>
        {receivers.map((receiver) => (
          <label key={receiver.language}>
            <input
              type="radio"
              name="receiver"
              checked={receiver.language === language}
              onChange={() => setLanguage(receiver.language)}
            />
            {receiver.language}
          </label>
        ))}
      </fieldset>
      {chosen && code !== undefined && (
        <>
          <CodeText label={fill(texts.codeIn, { language: chosen.language })} value={code} />
          <div class="row">
            <CopyButton value={code} label={chosen.file} />
            <span class="small soft">
              {texts.saveAs} <code>{chosen.file}</code>
            </span>
          </div>
          <p class="small">
            {texts.runIt} <code>WEBHOOK_SECRET=whsec_… {chosen.command}</code>
          </p>
        </>
      )}
      <p class="field-hint">{texts.codeHint}</p>
    </Card>
  );
}

/** A program that receives events, as the page shows it. */
interface Receiver {
  readonly language: string;
  readonly file: string;
  /** The command that starts it. */
  readonly command: string;
  readonly source: string;
}

/** Programs that verify what they receive; tests run them. */
export const receivers: readonly Receiver[] = [
  { language: 'Node.js', file: 'receiver.mjs', command: 'node receiver.mjs', source: node },
  { language: 'Python', file: 'receiver.py', command: 'python3 receiver.py', source: python },
  { language: 'Go', file: 'receiver.go', command: 'go run receiver.go', source: go },
  { language: 'Ruby', file: 'receiver.rb', command: 'ruby receiver.rb', source: ruby },
  {
    language: 'PHP',
    file: 'receiver.php',
    source: php,
    command: 'php -S 0.0.0.0:3000 receiver.php',
  },
  { language: 'Java', file: 'Receiver.java', command: 'java Receiver.java', source: java },
];

/** The event type in the source of the programs. */
const namedType = 'cart.order.completed';

/** The source of a program for events of a type. */
export function codeFor({ source }: Pick<Receiver, 'source'>, type: string): string {
  return /^[a-z0-9_.]+$/.test(type) ? source.replaceAll(namedType, type) : source;
}
