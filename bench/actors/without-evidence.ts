import { register } from 'node:module';

// Preloaded by a worker: makes it collect no evidence of its attempts.
register('./without-evidence-hooks.js', import.meta.url);
