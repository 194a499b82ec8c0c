import { text } from '../texts/text.js';
import { chooseTheme, theme, themes } from './theme.js';

/** Chooses the theme. */
export function ThemeSwitch() {
  return (
    <fieldset class="themes">
      <legend class="visually-hidden">{text.shell.theme}</legend>
      {themes.map((each) => (
        <label key={each}>
          <input
            type="radio"
            name="theme"
            checked={theme.value === each}
            onChange={() => chooseTheme(each)}
          />
          {text.shell.themes[each]}
        </label>
      ))}
    </fieldset>
  );
}
