import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { createTestHome, startLauncher } from '../support/launcher.js';
import { preloaded } from '../support/preloaded.js';
import { repositoryRoot } from '../support/repository.js';
import { runProgram } from '../support/process.js';
import { type Service, startService, startWorker } from '../support/service.js';

const everyProcess = [
  // The first is what prom-client loads of OpenTelemetry.
  '@opentelemetry/api',
  'bullmq',
  'canonicalize',
  'currency-codes',
  'ioredis',
  'pg',
  'pino',
  'prom-client',
  'reflect-metadata',
  'typeorm',
  'zod',
];

/** What a process has loaded of `dependencies` when it is ready, besides what every process loads. */
const own = {
  API: [
    '@koa/router',
    'ajv',
    'dataloader',
    'eta',
    'graphql',
    'graphql-jit',
    'graphql-scalars',
    'koa',
    'rate-limiter-flexible',
    'type-graphql',
  ],
  worker: ['nodemailer'],
} as const;

describe('the packages that a process loads', () => {
  let folder: string;
  let service: Service;
  let declared: readonly string[];

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'signalpost-loaded-'));
    service = await startService({ workers: 0 });
    const text = readFileSync(join(repositoryRoot, 'package.json'), 'utf8');
    declared = Object.keys((JSON.parse(text) as { dependencies: object }).dependencies);
  });

  after(async () => {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const listing = (file: string) => ({ ...preloaded('preload-listing'), LOADED_FILE: file });
  const start = {
    API: (file: string) => service.startApi(listing(file)),
    worker: (file: string) => startWorker({ ...service.environment, ...listing(file) }),
  };

  for (const name of ['API', 'worker'] as const) {
    it(`the ${name} process loads the packages that it uses, and no others`, async () => {
      const file = join(folder, name);
      if (name === 'API') await service.api.end();
      const process = await start[name](file);
      await process.end();
      expect(packagesIn(file, declared)).to.have.members([...everyProcess, ...own[name]]);
    });
  }

  for (const [entry, ...args] of [
    ['tools/admin/main.js', '--help'],
    ['tools/admin/main.js', 'complete', '--', 'admin', 'cr'],
    ['cli/main.js', 'endpoints', '--help'],
  ] as const) {
    it(`${entry} ${args.join(' ')} loads the package of its commands, and no other`, async () => {
      const file = join(folder, `${entry}${args.join('')}`.replaceAll('/', '-'));
      expect((await runProgram(entry, args, listing(file))).code).to.equal(0);
      expect(packagesIn(file, declared)).to.deep.equal(['commander']);
    });
  }

  it('npm start on an existing database loads no package that creates, migrates or fills one', async function () {
    const file = join(folder, 'launcher');
    const home = await createTestHome();
    const environment = { ...home.environment, ...listing(file) };
    try {
      for (const options of [home, { ...home, environment }]) {
        const launcher = startLauncher(options);
        await launcher.says('Signalpost is ready.');
        launcher.signalGroup('SIGINT');
        expect((await launcher.ended).code).to.equal(0);
      }
    } finally {
      await home.remove();
    }

    // Those of its stand-ins for the API and the worker among them. BullMQ: the file with its migrations.
    expect(packagesIn(file, declared)).to.have.members(['bullmq', 'pg', 'pino', 'zod']);
    expect(filesIn(file, 'bullmq')).to.be.lessThan(10);
  });
});

function filesIn(file: string, name: string): number {
  const paths = new Set(readFileSync(file, 'utf8').split('\n'));
  return [...paths].filter((path) => path.includes(`/node_modules/${name}/`)).length;
}

function packagesIn(file: string, declared: readonly string[]): string[] {
  const loaded = new Set<string>();
  for (const path of readFileSync(file, 'utf8').split('\n')) {
    const [, name] = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path) ?? [];
    if (name !== undefined && declared.includes(name)) loaded.add(name);
  }
  return [...loaded].sort();
}
