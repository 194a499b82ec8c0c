import { type Language, language } from '../../texts/language.js';
import type { Translated } from '../../texts/en.js';
import type { options } from '../../texts/options-en.js';
import { needed } from '../../texts/text.js';

type English = typeof options;

/** A browser loads only the reader's language. */
const catalogues: Readonly<Record<Language, () => Promise<Translated<English>>>> = {
  en: () => import('../../texts/options-en.js').then((catalogue) => catalogue.options),
  de: () => import('../../texts/options-de.js').then((catalogue) => catalogue.options),
};

/** The texts of delivery options. Only the page of an endpoint loads them. */
export const optionTexts = (await needed(catalogues[language])) as English;
