import { unsavedForms } from '../api/new-version.js';
import { showToast } from '../components/toast.js';
import { type Language, language, languages } from '../texts/language.js';
import { text } from '../texts/text.js';
import { storeChoice } from './storage.js';

/** Chooses the language, which this browser remembers. */
export function LanguageSwitch() {
  return (
    <fieldset class="themes">
      <legend class="visually-hidden">{text.shell.language}</legend>
      {(Object.keys(languages) as Language[]).map((each) => (
        <label key={each} lang={each}>
          <input
            type="radio"
            name="language"
            checked={language === each}
            onChange={() => chooseLanguage(each)}
          />
          {languages[each]}
        </label>
      ))}
    </fieldset>
  );
}

/** Texts are read once, so the page is loaded again, but never over what someone typed. */
function chooseLanguage(chosen: Language): void {
  storeChoice('language', chosen);
  if (unsavedForms.value > 0) showToast(text.shell.languageLater);
  else location.reload();
}
