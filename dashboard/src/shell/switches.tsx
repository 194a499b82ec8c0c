import { unsavedForms } from '../api/new-version.js';
import { showToast } from '../components/toast.js';
import { type Language, language, languages } from '../texts/language.js';
import { text } from '../texts/text.js';
import { storeChoice } from './storage.js';
import { chooseTheme, theme, themes } from './theme.js';

/** Chooses the theme, which this browser remembers. */
export function ThemeSwitch() {
  return (
    <fieldset class="themes">
      <legend class="visually-hidden">{text.shell.theme}</legend>
      {themes.map((name) => (
        <label key={name}>
          <input
            type="radio"
            name="theme"
            checked={theme.value === name}
            onChange={() => chooseTheme(name)}
          />
          {text.shell.themes[name]}
        </label>
      ))}
    </fieldset>
  );
}

/** Chooses the language, which this browser remembers. */
export function LanguageSwitch() {
  return (
    <fieldset class="themes">
      <legend class="visually-hidden">{text.shell.language}</legend>
      {(Object.keys(languages) as Language[]).map((code) => (
        <label key={code} lang={code}>
          <input
            type="radio"
            name="language"
            checked={language === code}
            onChange={() => chooseLanguage(code)}
          />
          {languages[code]}
        </label>
      ))}
    </fieldset>
  );
}

/** Reloads the page, which reads its texts only once, but never over unsaved input. */
function chooseLanguage(chosen: Language): void {
  storeChoice('language', chosen);
  if (unsavedForms.value > 0) showToast(text.shell.languageLater);
  else location.reload();
}
