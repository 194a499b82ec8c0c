import { contrast, isColour, mix } from './contrast.js';
import type { PortalTheme } from './portal-theme.js';

type Scheme = 'light' | 'dark';

/** Colours of tokens.css that own colours stand beside; a test compares them. */
export const tokens: Readonly<Record<Scheme, Readonly<Record<string, string>>>> = {
  light: {
    page: '#f6f6f4',
    surface: '#ffffff',
    inset: '#f1f1ee',
    hover: '#f7f7f5',
    line: '#e3e3df',
    ink: '#1b1c1f',
    'ink-soft': '#565a62',
    'ink-faint': '#666a72',
    good: '#17703f',
    warn: '#855100',
    bad: '#ac231b',
    accent: '#3d4fd1',
    'accent-hover': '#2f3eb0',
    'accent-soft': '#eceefb',
    'on-accent': '#ffffff',
  },
  dark: {
    page: '#101113',
    surface: '#18191c',
    inset: '#212327',
    hover: '#1e2023',
    line: '#2c2f34',
    ink: '#ededef',
    'ink-soft': '#adb1ba',
    'ink-faint': '#979ca6',
    good: '#63d297',
    warn: '#ecba57',
    bad: '#ff938a',
    accent: '#98a4ff',
    'accent-hover': '#b3bcff',
    'accent-soft': '#23274a',
    'on-accent': '#11132b',
  },
};

/** WCAG AA for text. */
const enough = 4.5;

const texts = ['ink', 'ink-soft', 'ink-faint', 'good', 'warn', 'bad'];

/** The colours of a theme, and where an own one has too little contrast. */
export interface ThemeColours {
  /** By token and scheme. */
  readonly colours: Readonly<Record<string, Readonly<Record<Scheme, string>>>>;
  readonly refused: Readonly<Record<'accent' | 'background', readonly Scheme[]>>;
}

/** Derives the tokens of a theme. A colour that text could not be read on or in falls back. */
export function themeColours({ accent, background }: PortalTheme): ThemeColours {
  const light = coloursOf('light', accent, background);
  const dark = coloursOf('dark', accent, background);
  const refusedOf = (name: 'accent' | 'background', given: string | null) =>
    given === null
      ? []
      : ([light, dark] as const).flatMap(({ scheme, used }) => (used[name] ? [] : [scheme]));
  const names = Object.keys(light.colours);
  return {
    colours: Object.fromEntries(
      names.map((name) => [
        name,
        { light: light.colours[name] ?? '', dark: dark.colours[name] ?? '' },
      ]),
    ),
    refused: {
      accent: refusedOf('accent', accent),
      background: refusedOf('background', background),
    },
  };
}

function coloursOf(scheme: Scheme, accent: string | null, background: string | null) {
  const own = tokens[scheme];
  const token = (name: string) => own[name] ?? '';
  const readable = (colour: string, on: readonly string[]) =>
    isColour(colour) && on.every((each) => contrast(colour, each) >= enough);
  const usesBackground = background !== null && readable(background, texts.map(token));
  const page = usesBackground ? background : token('page');
  const soft = accent === null ? '' : mix(token('surface'), accent, 0.1);
  const behind = [page, soft, ...['surface', 'inset', 'hover'].map(token)];
  const usesAccent = accent !== null && readable(accent, behind);
  const chosen = usesAccent
    ? {
        accent,
        'accent-hover': mix(accent, token('ink'), 0.2),
        'accent-soft': soft,
        'on-accent': contrast(accent, '#ffffff') >= enough ? '#ffffff' : '#111111',
      }
    : {
        accent: token('accent'),
        'accent-hover': token('accent-hover'),
        'accent-soft': token('accent-soft'),
        'on-accent': token('on-accent'),
      };
  const used = { accent: usesAccent, background: usesBackground };
  return { scheme, used, colours: { page, ...chosen } as Readonly<Record<string, string>> };
}
