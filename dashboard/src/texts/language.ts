import { readChoice } from '../shell/storage.js';

/** The languages of the dashboard, each in its own words. */
export const languages = { en: 'English', de: 'Deutsch' } as const;

/** A language of the dashboard. */
export type Language = keyof typeof languages;

/** What the dashboard speaks, and the locale of its numbers and dates, such as `de-AT`. */
interface Spoken {
  readonly language: Language;
  readonly locale: string;
}

/** What a browser has. Where tests run, there is no document, and the dashboard is English. */
interface Browser {
  readonly document?: unknown;
  readonly navigator: { readonly languages: readonly string[] };
}

/** The first wanted language that the dashboard has, else English, with the region of the browser. */
export function chooseLanguage(chosen: string | null, preferred: readonly string[]): Spoken {
  const known = Object.keys(languages) as Language[];
  const find = (tag: string) => known.find((each) => each === tag.toLowerCase().split('-')[0]);
  const wanted = [...(chosen === null ? [] : [chosen]), ...preferred];
  const language = wanted.map(find).find((each) => each !== undefined) ?? 'en';
  return { language, locale: preferred.find((tag) => find(tag) === language) ?? language };
}

const { document, navigator } = globalThis as unknown as Browser;

/** What this page speaks. Another choice holds once the page is loaded again. */
export const { language, locale } = chooseLanguage(
  readChoice('language'),
  document === undefined ? [] : navigator.languages,
);
