import { readChoice } from '../shell/storage.js';

/** The languages of the dashboard, each by its own name. */
export const languages = { en: 'English', de: 'Deutsch' } as const;

/** A language of the dashboard. */
export type Language = keyof typeof languages;

/** The language of the texts, and the locale of numbers and dates, such as `de-AT`. */
interface Spoken {
  readonly language: Language;
  readonly locale: string;
}

/** The part of a browser that this file uses. Unit tests have no document, and get English. */
interface Browser {
  readonly document?: unknown;
  readonly navigator: { readonly languages: readonly string[] };
}

/** The first of the chosen and preferred languages that the dashboard has, else English, with the browser's region. */
export function chooseLanguage(chosen: string | null, preferred: readonly string[]): Spoken {
  const known = Object.keys(languages) as Language[];
  const find = (tag: string) => known.find((code) => code === tag.toLowerCase().split('-')[0]);
  const wanted = [...(chosen === null ? [] : [chosen]), ...preferred];
  const language = wanted.map(find).find((code) => code !== undefined) ?? 'en';
  return { language, locale: preferred.find((tag) => find(tag) === language) ?? language };
}

const { document, navigator } = globalThis as unknown as Browser;

/** The language of this page. A new choice takes effect when the page is reloaded. */
export const { language, locale } = chooseLanguage(
  readChoice('language'),
  document === undefined ? [] : navigator.languages,
);
