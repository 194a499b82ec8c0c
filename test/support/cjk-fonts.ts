import { existsSync } from 'node:fs';

/** The folder of the package fonts-noto-cjk on Debian and Ubuntu. */
export const cjkFontFolder = '/usr/share/fonts/opentype/noto';

/** The reason why tests of CJK letters are pending; undefined when the fonts are installed. */
export const cjkFontsMissing = existsSync(`${cjkFontFolder}/NotoSansCJK-Regular.ttc`)
  ? undefined
  : 'is pending: found no Noto CJK fonts; on Debian, apt-get install fonts-noto-cjk';
