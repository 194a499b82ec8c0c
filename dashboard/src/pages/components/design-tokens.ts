/** A custom property of `styles/tokens.css`. */
export interface DesignToken {
  /** With its two dashes. */
  readonly name: string;
  readonly value: string;
}

/** Reads the tokens of a style sheet, in its order. */
export function designTokens(css: string): readonly DesignToken[] {
  const plain = css.replaceAll(/\/\*.*?\*\//gs, '');
  return [...plain.matchAll(/(--[\w-]+):\s*([^;]+);/g)].map(([, name = '', value = '']) => ({
    name,
    value: value.trim(),
  }));
}
