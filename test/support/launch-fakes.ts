import { fileURLToPath } from 'node:url';
import { launch } from '../../tools/launcher/main.js';

const entry = (name: string) => fileURLToPath(new URL(name, import.meta.url));

// Runs `npm start` with fakes of its two processes.
process.exit(
  await launch({
    plans: [
      { name: 'API', entry: entry('fake-api.js') },
      { name: 'worker', entry: entry('fake-worker.js') },
    ],
  }),
);
