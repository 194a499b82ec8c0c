import { existsSync } from 'node:fs';

/** Where Debian's and Ubuntu's fonts-noto-cjk puts them. */
export const cjkFontFolder = '/usr/share/fonts/opentype/noto';

/** Why Chinese, Japanese and Korean letters are not tried; undefined when there are fonts for them. */
export const cjkFontsMissing = existsSync(`${cjkFontFolder}/NotoSansCJK-Regular.ttc`)
  ? undefined
  : 'is pending: no Noto CJK fonts were found; on Debian, apt-get install fonts-noto-cjk';
