import { standIn } from './stand-in.js';

await standIn('api', ({ port }) => port);
