/** The look of a portal, as the service sends it. */
export interface PortalTheme {
  readonly scheme: 'system' | 'light' | 'dark' | null;
  readonly accent: string | null;
  readonly background: string | null;
}

type Scheme = 'light' | 'dark';

/** The colours of tokens.css against which an account's colours must be readable. A test compares them. */
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

/** The contrast that WCAG AA demands of text. */
const minContrast = 4.5;

const textColours = ['ink', 'ink-soft', 'ink-faint', 'good', 'warn', 'bad'];

/** The colours of a theme, and the schemes in which a chosen colour has too little contrast. */
interface ThemeColours {
  /** By token and scheme. */
  readonly colours: Readonly<Record<string, Readonly<Record<Scheme, string>>>>;
  readonly refused: Readonly<Record<'accent' | 'background', readonly Scheme[]>>;
}

/** Derives the tokens of a theme. A colour with too little contrast is replaced by the default. */
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
  const token = (name: string) => tokens[scheme][name] ?? '';
  const readable = (colour: string, on: readonly string[]) =>
    isColour(colour) && on.every((other) => contrast(colour, other) >= minContrast);

  const usesBackground = background !== null && readable(background, textColours.map(token));
  const page = usesBackground ? background : token('page');
  const soft = accent === null ? '' : mix(token('surface'), accent, 0.1);
  const behind = [page, soft, ...['surface', 'inset', 'hover'].map(token)];
  const usesAccent = accent !== null && readable(accent, behind);

  const chosen = usesAccent
    ? {
        accent,
        'accent-hover': mix(accent, token('ink'), 0.2),
        'accent-soft': soft,
        'on-accent': contrast(accent, '#ffffff') >= minContrast ? '#ffffff' : '#111111',
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

/** A colour as red, green and blue from 0 to 255. */
type Rgb = readonly [red: number, green: number, blue: number];

/** Reads `#rrggbb`; undefined if it is not a colour. */
function readColour(text: string): Rgb | undefined {
  const [, red, green, blue] = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text) ?? [];
  if (red === undefined || green === undefined || blue === undefined) return undefined;
  return [parseInt(red, 16), parseInt(green, 16), parseInt(blue, 16)];
}

/** Whether a text is a colour as `#rrggbb`. */
export function isColour(text: string): boolean {
  return readColour(text) !== undefined;
}

/** The contrast ratio of two colours as WCAG defines it, from 1 to 21; 1 if one is not a colour. */
export function contrast(one: string, other: string): number {
  const first = readColour(one);
  const second = readColour(other);
  if (!first || !second) return 1;
  const [darker = 0, lighter = 0] = [luminance(first), luminance(second)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Mixes a share of one colour into another. */
export function mix(base: string, added: string, share: number): string {
  const from = readColour(base) ?? [0, 0, 0];
  const to = readColour(added) ?? [0, 0, 0];
  const parts = from.map((part, place) => Math.round(part + ((to[place] ?? 0) - part) * share));
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

function luminance(colour: Rgb): number {
  const [red = 0, green = 0, blue = 0] = colour.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
