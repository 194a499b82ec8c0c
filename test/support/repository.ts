import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of package.json, relative to the compiled tests in dist. */
export const repositoryRoot = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');
