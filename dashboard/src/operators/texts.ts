import type { operators } from '../texts/operators-en.js';
import { type Language, language } from '../texts/language.js';
import type { Translated } from '../texts/en.js';
import { needed } from '../texts/text.js';

type English = typeof operators;

/** A browser loads only the reader's language. */
const catalogues: Readonly<Record<Language, () => Promise<Translated<English>>>> = {
  en: () => import('../texts/operators-en.js').then((catalogue) => catalogue.operators),
  de: () => import('../texts/operators-de.js').then((catalogue) => catalogue.operators),
};

/** The texts of operators. A member's browser does not load them. */
export const operatorText = (await needed(catalogues[language])) as English;
