import type { en, Texts } from './en.js';
import { type Language, language, locale } from './language.js';

/** A text with a singular and a plural form; `{count}` chooses. */
interface Plural {
  readonly one: string;
  readonly other: string;
}

type Template = string | Plural;

/** The names in the braces of a text. */
type Placeholders<Text> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never;

type Values<Text> = Text extends Plural
  ? { readonly [Name in Placeholders<Text['other']> | 'count']: string | number }
  : { readonly [Name in Placeholders<Text>]: string | number };

/** A browser loads only the reader's language. */
const catalogues: Readonly<Record<Language, () => Promise<Texts>>> = {
  en: () => import('./en.js').then((catalogue) => catalogue.en),
  de: () => import('./de.js').then((catalogue) => catalogue.de),
};

/**
 * The texts in the reader's language. Their type is that of the English texts, so that the compiler knows the
 * names in braces. A test checks that other languages have the same names.
 */
export const text = (await needed(catalogues[language])) as typeof en;

const plurals = new Intl.PluralRules(locale);
const numbers = new Intl.NumberFormat(locale);

/** The part of a browser that this file uses. Unit tests have none. */
interface Page {
  readonly document: {
    getElementById(id: string): { removeAttribute(name: string): void } | null;
  };
}

/** Loads code that every page needs. If it does not load, the page says so and does not go on. */
export async function needed<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch {
    const { document } = globalThis as unknown as Page;
    document.getElementById('not-loaded')?.removeAttribute('hidden');
    return new Promise<never>(() => undefined);
  }
}

/** Replaces each `{name}` by its value. `count` chooses the plural form, and numbers get separators. */
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
