import type { en, Texts } from './en.js';
import { type Language, language, locale } from './language.js';

/** A text with a form for each kind of number; `{count}` chooses. */
interface Plural {
  readonly one: string;
  readonly other: string;
}

type Template = string | Plural;

/** The names in braces of a text. */
type Placeholders<Text> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never;

type Values<Text> = Text extends Plural
  ? { readonly [Name in Placeholders<Text['other']> | 'count']: string | number }
  : { readonly [Name in Placeholders<Text>]: string | number };

/** A browser loads one of them. */
const catalogues: Readonly<Record<Language, () => Promise<Texts>>> = {
  en: () => import('./en.js').then((catalogue) => catalogue.en),
  de: () => import('./de.js').then((catalogue) => catalogue.de),
};

/**
 * The texts of the reader's language. Their type is that of English, which knows the names in braces;
 * a test compares those of the other languages.
 */
export const text = (await needed(catalogues[language])) as typeof en;

const plurals = new Intl.PluralRules(locale);
const numbers = new Intl.NumberFormat(locale);

/** What a browser has, and tests of pure rules lack. */
interface Page {
  readonly document: {
    getElementById(id: string): { removeAttribute(name: string): void } | null;
  };
}

/** Loads what no page can do without. If it does not arrive, the page says so, and waits for its reader. */
export async function needed<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch {
    const { document } = globalThis as unknown as Page;
    document.getElementById('not-loaded')?.removeAttribute('hidden');
    return new Promise<never>(() => undefined);
  }
}

/** Puts values in place of `{name}`; a plural form is chosen by `count`. Numbers get separators. */
export function fill<const Text extends Template>(template: Text, values: Values<Text>): string {
  const given = values as Readonly<Record<string, string | number>>;
  const chosen = typeof template === 'string' ? template : formOf(template, Number(given['count']));
  return chosen.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = given[name];
    return typeof value === 'number' ? numbers.format(value) : (value ?? whole);
  });
}

function formOf(template: Plural, count: number): string {
  return plurals.select(count) === 'one' ? template.one : template.other;
}
