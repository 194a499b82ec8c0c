import { appendFileSync } from 'node:fs';
import type { LoadHook } from 'node:module';

/** Notes every module that `import` loads; runs in the thread that Node keeps for such hooks. */
export const load: LoadHook = (url, context, next) => {
  appendFileSync(process.env['LOADED_FILE'] ?? '', `${url}\n`);
  return next(url, context);
};
