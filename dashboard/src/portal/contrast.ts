/** A colour as red, green and blue from 0 to 255. */
type Rgb = readonly [red: number, green: number, blue: number];

/** Reads `#rrggbb`; undefined for what is none. */
function readColour(text: string): Rgb | undefined {
  const [, red, green, blue] = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text) ?? [];
  if (red === undefined || green === undefined || blue === undefined) return undefined;
  return [parseInt(red, 16), parseInt(green, 16), parseInt(blue, 16)];
}

/** Whether a text is a colour as `#rrggbb`. */
export function isColour(text: string): boolean {
  return readColour(text) !== undefined;
}

/** The contrast of two colours as WCAG counts it, from 1 to 21; 1 for what is no colour. */
export function contrast(one: string, other: string): number {
  const first = readColour(one);
  const second = readColour(other);
  if (!first || !second) return 1;
  const [darker = 0, lighter = 0] = [luminance(first), luminance(second)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Mixes a share of one colour into another. Both are colours. */
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
