import { runFakeProcess } from './fake-process.js';

await runFakeProcess('api', ({ port }) => port);
