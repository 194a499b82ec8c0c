import { standIn } from './stand-in.js';

await standIn('worker', ({ workerPort }) => workerPort);
