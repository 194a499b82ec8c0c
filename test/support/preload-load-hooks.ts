import { appendFileSync } from 'node:fs';
import type { LoadHook } from 'node:module';

/** Records every module that `import` loads. Node runs this in its thread for hooks. */
export const load: LoadHook = (url, context, next) => {
  appendFileSync(process.env['LOADED_FILE'] ?? '', `${url}\n`);
  return next(url, context);
};
