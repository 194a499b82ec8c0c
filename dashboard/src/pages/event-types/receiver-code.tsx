import { useState } from 'preact/hooks';
import { Card } from '../../components/card.js';
import { CopyButton } from '../../components/copy-button.js';
import { CodeText } from '../../components/json-view.js';
import { fill, text } from '../../texts/text.js';
import { codeFor, receivers } from './receivers.js';

const texts = text.eventTypes;

/** A program that receives events of a type, in the chosen language. */
export function ReceiverCode({ type }: { readonly type: string }) {
  const [language, setLanguage] = useState(receivers[0]?.language);
  const chosen = receivers.find((each) => each.language === language);
  const code = chosen && codeFor(chosen, type);
  return (
    <Card title={texts.code}>
      <p class="soft">{texts.codeLead}</p>
      <fieldset class="themes languages">
        <legend class="visually-hidden">{texts.language}</legend>
        {receivers.map((each) => (
          <label key={each.language}>
            <input
              type="radio"
              name="receiver"
              checked={each.language === language}
              onChange={() => setLanguage(each.language)}
            />
            {each.language}
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
