import { runFakeProcess } from './fake-process.js';

await runFakeProcess('worker', ({ workerPort }) => workerPort);
