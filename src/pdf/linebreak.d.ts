/** Break opportunities of Unicode Standard Annex 14; the package has no types. */
declare module 'linebreak' {
  class LineBreaker {
    constructor(text: string);
    nextBreak(): { readonly position: number } | null;
  }
  export { LineBreaker as default };
}
