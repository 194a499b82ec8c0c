import { fileURLToPath } from 'node:url';
import { launch } from '../../src/launcher/main.js';

const entry = (name: string) => fileURLToPath(new URL(name, import.meta.url));

// npm start with stand-ins for its two processes.
process.exit(
  await launch({
    plans: [
      { name: 'API', entry: entry('stand-in-api.js') },
      { name: 'worker', entry: entry('stand-in-worker.js') },
    ],
  }),
);
