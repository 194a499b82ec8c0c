import { useState } from 'preact/hooks';
import { Card } from '../../components/card.js';
import { DataText } from '../../components/data-text.js';
import { text } from '../../texts/text.js';
import { families, signedParts } from './signed-parts.js';

interface SignedTextProps {
  readonly eventId: string;
  /** Undefined where the headers of the attempt are not kept. */
  readonly time: string | undefined;
  readonly body: string;
}

/** Explains how a receiver checks this attempt, with the text that is signed. */
export function SignedText({ eventId, time, body }: SignedTextProps) {
  const [family, setFamily] = useState<(typeof families)[number]>('service');
  const texts = text.attempt;
  const parts = signedParts(family, { eventId, time: time ?? texts.timeOf, body });
  const named = parts.filter(({ name }) => name !== 'stop');
  return (
    <Card title={texts.signature}>
      <p class="soft">{texts.signatureLead}</p>
      <fieldset class="themes signed-family">
        <legend class="visually-hidden">{texts.signature}</legend>
        {families.map((each) => (
          <label key={each}>
            <input
              type="radio"
              name="family"
              checked={family === each}
              onChange={() => setFamily(each)}
            />
            {texts.families[each]}
          </label>
        ))}
      </fieldset>
      <pre class="code" tabIndex={0} role="group" aria-label={texts.signature}>
        {parts.map((part, place) => (
          <span
            key={place}
            class={`signed-part signed-${part.name}`}
            title={texts.parts[part.name]}
          >
            <DataText value={part.text} />
          </span>
        ))}
      </pre>
      <ul class="signed-legend small">
        {named.map(({ name }) => (
          <li key={name}>
            <span class={`signed-part signed-${name}`} aria-hidden="true" /> {texts.parts[name]}
          </li>
        ))}
      </ul>
      <p>{family === 'service' ? texts.serviceKey : texts.standardKey}</p>
      <p>{family === 'service' ? texts.serviceHeader : texts.standardHeader}</p>
      <p class="field-hint">{texts.usualMistakes}</p>
    </Card>
  );
}
