import { type Finding, ok, problem, warning } from './finding.js';

/** One letter of each script that invoices often need and the included fonts lack. */
const samples = { Chinese: '山', Japanese: 'あ', Korean: '한' } as const;

const subject = 'invoices';

/** Checks that the folder of `PDF_FONTS` has the letters that the included fonts lack. */
export async function checkFonts(folder: string | undefined): Promise<Finding> {
  if (folder === undefined) {
    return ok(
      subject,
      'Chinese, Japanese and Korean letters appear as empty squares; set PDF_FONTS to a folder of fonts that have them',
    );
  }
  try {
    const { FontFolder } = await import('../../src/pdf/font-folder.js');
    const fonts = new FontFolder(folder);
    const missing = Object.entries(samples)
      .filter(([, letter]) => !fonts.find(letter, { bold: false, region: 'sc' }))
      .map(([script]) => script);
    if (missing.length === 0)
      return ok(subject, `the fonts of ${folder} have Chinese, Japanese and Korean letters`);
    return warning(
      subject,
      `no font of ${folder} (PDF_FONTS) has ${missing.join(', ')} letters, which appear as empty squares`,
    );
  } catch (error) {
    return problem(subject, `PDF_FONTS cannot be read: ${(error as Error).message}`);
  }
}
