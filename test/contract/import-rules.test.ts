import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { cruise, type IConfiguration, type ICruiseResult } from 'dependency-cruiser';
import { repositoryRoot } from '../support/repository.js';

/** Lines of a file in `folder`: each must break the rule it stands under, or none. */
type Samples = Readonly<Record<string, readonly (readonly [folder: string, line: string])[]>>;

const forbiddenImports: Samples = {
  'no-cycles': [['src/domain', "export * from './cycle.js';"]],
  'no-domain-folder-cycles': [
    ['src/domain/endpoint', "export * from '../notice/neighbour.js';"],
    ['src/domain/delivery/sql', "export * from '../replay/neighbour.js';"],
  ],
  'nothing-unresolved': [['src/domain', "export * from './nowhere.js';"]],
  'no-development-packages': [
    ['tools/receiver', "export * from 'chai';"],
    ['workers', "export * from 'mocha';"],
  ],
  'domain-files': [
    ['src/domain', "export * from '../config/config.js';"],
    ['src/domain/event', "export type { Known } from '../../http/rest/known.js';"],
    ['src/domain', "export * from '../queue/known.js';"],
  ],
  'domain-packages': [
    ['src/domain', "export * from 'bullmq';"],
    ['src/domain', "export * from 'graphql';"],
    ['src/domain', "export * from 'pg';"],
  ],
  'domain-builtins': [
    ['src/domain', "export * from 'node:http';"],
    ['src/domain', "export * from 'fs';"],
    ['src/domain', "export * from 'node:fs/promises';"],
    ['src/domain', "export * from 'node:child_process';"],
  ],
  'database-files': [['src/database', "export * from '../config/config.js';"]],
  'database-packages': [['src/database', "export * from 'bullmq';"]],
  'database-builtins': [['src/database', "export * from 'node:fs';"]],
  'queue-files': [
    ['src/queue', "export * from '../domain/known.js';"],
    ['src/queue', "export * from '../http/rest/known.js';"],
  ],
  'queue-packages': [['src/queue', "export * from 'typeorm';"]],
  'queue-builtins': [['src/queue', "export * from 'node:http';"]],
  'tracing-alone': [
    ['src/process', "export * from '../config/config.js';"],
    ['src/process', "export * from 'koa';"],
    ['src/process', "export * from 'node:fs';"],
  ],
  'redis-alone': [
    ['src/queue', "export * from '../config/config.js';"],
    ['src/queue', "export * from './known.js';"],
    ['src/queue', "export * from 'bullmq';"],
    ['src/queue', "export * from 'node:fs';"],
  ],
  'outbound-files': [
    ['src/outbound', "export * from '../domain/delivery/signature.js';"],
    ['src/outbound', "export * from '../queue/known.js';"],
  ],
  'outbound-packages': [
    ['src/outbound', "export * from 'typeorm';"],
    ['src/outbound', "export * from 'pg';"],
  ],
  'outbound-builtins': [['src/outbound', "export * from 'node:child_process';"]],
  'mail-files': [
    ['src/mail', "export * from '../config/config.js';"],
    ['src/mail', "export * from '../domain/known.js';"],
  ],
  'mail-packages': [['src/mail', "export * from 'typeorm';"]],
  'mail-builtins': [['src/mail', "export * from 'node:child_process';"]],
  'graphql-files': [
    ['src/graphql', "export * from '../http/rest/known.js';"],
    ['src/graphql', "export * from '../http/known.js';"],
    ['src/graphql', "export * from '../http/problems.js';"],
    ['src/graphql/resolvers', "export * from '../../http/problems.js';"],
    ['src/graphql', "export type { Known } from '../process/known.js';"],
    ['src/graphql', "export * from '../queue/known.js';"],
  ],
  'graphql-packages': [
    ['src/graphql', "export * from '@apollo/server';"],
    ['src/graphql', "export * from 'koa';"],
    ['src/graphql', "export type { Context } from 'koa';"],
    ['src/graphql', "export * from '@koa/router';"],
    ['src/graphql', "export * from 'typeorm';"],
    ['src/graphql', "export * from 'bullmq';"],
  ],
  'graphql-builtins': [
    ['src/graphql', "export * from 'node:fs';"],
    ['src/graphql', "export type { IncomingMessage } from 'node:http';"],
  ],
  'catalogue-reads-yaml': [
    ['src/graphql', "export * from 'yaml';"],
    ['src/graphql/resolvers', "export * from 'zod';"],
  ],
  'http-files': [
    ['src/http', "export * from './rest/known.js';"],
    ['src/http', "export * from './server/known.js';"],
    ['src/http', "export * from '../domain/known.js';"],
    ['src/http', "export * from '../graphql/resolvers/endpoint.js';"],
  ],
  'http-packages': [
    ['src/http', "export * from 'typeorm';"],
    ['src/http', "export * from 'koa';"],
  ],
  'http-builtins': [['src/http', "export * from 'node:fs';"]],
  'http-server-files': [
    ['src/http/server', "export * from '../../domain/known.js';"],
    ['src/http/server', "export * from '../../graphql/resolvers/endpoint.js';"],
  ],
  'http-server-packages': [['src/http/server', "export * from 'typeorm';"]],
  'http-server-builtins': [['src/http/server', "export * from 'node:fs';"]],
  'http-rest-files': [
    ['src/http/rest', "export * from '../../graphql/resolvers/endpoint.js';"],
    ['src/http/rest', "export * from '../../domain/delivery/signature.js';"],
    ['src/http/rest', "export * from '../../domain/known.js';"],
    ['src/http/rest', "export * from '../server/known.js';"],
  ],
  'http-rest-packages': [
    ['src/http/rest', "export * from 'typeorm';"],
    ['src/http/rest', "export * from 'pg';"],
    ['src/http/rest', "export * from 'bullmq';"],
  ],
  'http-rest-builtins': [['src/http/rest', "export * from 'node:path';"]],
  'rest-runs-no-schema': [['src/http/rest', "export { graphql } from 'graphql';"]],
  'http-graphql-files': [
    ['src/http/graphql', "export * from '../../graphql/resolvers/endpoint.js';"],
    ['src/http/graphql', "export * from '../../domain/known.js';"],
    ['src/http/graphql', "export * from '../server/known.js';"],
  ],
  'http-graphql-packages': [
    ['src/http/graphql', "export * from 'type-graphql';"],
    ['src/http/graphql', "export * from 'koa';"],
  ],
  'http-graphql-builtins': [['src/http/graphql', "export * from 'node:child_process';"]],
  'http-hosted-files': [
    ['src/http/hosted', "export * from '../rest/known.js';"],
    ['src/http/hosted', "export * from '../server/known.js';"],
    ['src/http/hosted', "export * from '../../domain/known.js';"],
    ['src/http/hosted', "export * from '../../graphql/resolvers/endpoint.js';"],
  ],
  'http-hosted-packages': [
    ['src/http/hosted', "export * from 'typeorm';"],
    ['src/http/hosted', "export * from 'graphql';"],
  ],
  'http-hosted-builtins': [['src/http/hosted', "export * from 'node:fs';"]],
  'http-dashboard-files': [
    ['src/http/dashboard', "export * from '../../domain/known.js';"],
    ['src/http/dashboard', "export * from '../server/known.js';"],
    ['src/http/dashboard', "export * from '../rest/known.js';"],
  ],
  'http-dashboard-packages': [['src/http/dashboard', "export * from 'pg';"]],
  'http-dashboard-builtins': [['src/http/dashboard', "export * from 'node:child_process';"]],
  'http-pdf-files': [
    ['src/http/pdf', "export * from '../../config/config.js';"],
    ['src/http/pdf', "export * from '../../domain/known.js';"],
  ],
  'http-pdf-packages': [['src/http/pdf', "export * from 'typeorm';"]],
  'http-pdf-builtins': [['src/http/pdf', "export * from 'node:child_process';"]],
  'http-stream-files': [
    ['src/http/stream', "export * from '../server/known.js';"],
    ['src/http/stream', "export * from '../../domain/known.js';"],
    ['src/http/stream', "export * from '../rest/known.js';"],
  ],
  'http-stream-packages': [['src/http/stream', "export * from 'pg';"]],
  'http-stream-builtins': [['src/http/stream', "export * from 'node:fs';"]],
  'seed-files': [
    ['tools/seed', "export * from '../../src/database/known.js';"],
    ['tools/seed', "export * from '../../src/queue/known.js';"],
  ],
  'seed-packages': [['tools/seed', "export * from 'typeorm';"]],
  'seed-builtins': [['tools/seed', "export * from 'node:fs';"]],
  'dashboard-files': [['dashboard/src', "export * from '../../src/http/known.js';"]],
  'dashboard-packages': [['dashboard/src', "export * from 'graphql';"]],
  'dashboard-builtins': [['dashboard/src', "export * from 'node:fs';"]],
  'no-imports-of-the-dashboard': [['src/http', "export * from '../../dashboard/known.js';"]],
  'workers-stay-outside': [
    ['workers', "export * from '../src/http/rest/known.js';"],
    ['workers', "export * from '../src/friend.js';"],
  ],
  'workers-load-no-web': [
    ['workers', "export * from 'koa';"],
    ['workers', "export * from '../src/web-friend.js';"],
  ],
  'no-imports-of-the-workers': [['tools/admin', "export * from '../../workers/known.js';"]],
  'cli-files': [['cli', "export * from '../src/http/rest/known.js';"]],
  'cli-packages': [['cli', "export { default } from 'koa';"]],
  'no-imports-of-the-cli': [
    ['src/http', "export * from '../../cli/known.js';"],
    ['clients/typescript', "export * from '../../cli/known.js';"],
  ],
  'clients-files': [['clients/typescript', "export * from '../../src/http/rest/known.js';"]],
  'clients-packages': [['clients/typescript', "export { default } from 'koa';"]],
  'clients-builtins': [['clients/typescript', "export * from 'node:http';"]],
  'no-imports-of-the-clients': [['src/http', "export * from '../../clients/typescript/known.js';"]],
  'launcher-files': [['tools/launcher', "export * from '../../src/http/rest/known.js';"]],
  'no-imports-of-the-tools': [['src/http', "export * from '../../tools/launcher/known.js';"]],
  'no-imports-of-tests': [['bench', "export * from '../test/unit/known.test.js';"]],
  'production-imports-no-test-support': [
    ['tools/admin', "export * from '../../test/support/known.js';"],
  ],
  'no-orphans': [['src/domain', 'export const lonely = 1;']],
};

const allowedImports: readonly (readonly [folder: string, line: string])[] = [
  ['src/domain', "export { createHash } from 'node:crypto';"],
  ['src/domain', "export { IsNull } from 'typeorm';"],
  ['src/queue', "export * from '../domain/transaction/wakeup.js';"],
  ['src/outbound', "export * from '../domain/delivery/outcome.js';"],
  ['src/mail', "export * from '../domain/notice/mail.js';"],
  ['src/graphql', "export * from '../domain/known.js';"],
  ['src/http', "export * from '../domain/errors.js';"],
  ['src/http/rest', "export * from '../../domain/errors.js';"],
  ['src/http/rest', "export * from '../known.js';"],
  ['src/http/rest', "export type { GraphQLSchema } from 'graphql';"],
  ['src/http/hosted', "export * from '../../domain/errors.js';"],
  ['src/http/server', "export * from '../../domain/values/id.js';"],
  ['src/http/server', "export * from '../hosted/known.js';"],
  ['workers', "export * from '../src/domain/known.js';"],
  ['cli', "export * from '../clients/typescript/known.js';"],
  ['bench', "export * from '../test/support/known.js';"],
];

/** What the samples import. */
const targets: Readonly<Record<string, string>> = {
  'src/config/config.ts': '',
  'src/friend.ts': "export * from './http/rest/known.js';",
  'src/web-friend.ts': "export * from 'koa';",
  'src/domain/known.ts': '',
  'dashboard/known.ts': '',
  'src/domain/errors.ts': '',
  'src/domain/values/id.ts': '',
  'src/domain/transaction/wakeup.ts': '',
  'src/domain/endpoint/known.ts': '',
  'src/domain/notice/neighbour.ts': "export * from '../endpoint/known.js';",
  'src/domain/delivery/sql/known.ts': '',
  'src/domain/delivery/replay/neighbour.ts': "export * from '../sql/known.js';",
  'src/domain/delivery/outcome.ts': '',
  'src/domain/delivery/signature.ts': '',
  'src/domain/notice/mail.ts': '',
  'src/database/known.ts': '',
  'src/process/known.ts': '',
  'src/queue/known.ts': '',
  'src/graphql/resolvers/endpoint.ts': '',
  'src/http/known.ts': '',
  'src/http/problems.ts': '',
  'src/http/hosted/known.ts': '',
  'src/http/rest/known.ts': '',
  'src/http/server/known.ts': '',
  'tools/launcher/known.ts': '',
  'workers/known.ts': '',
  'cli/known.ts': '',
  'clients/typescript/known.ts': '',
  'test/support/known.ts': '',
  'test/unit/known.test.ts': '',
};

const require = createRequire(import.meta.url);
const { forbidden = [], options = {} } = require(
  join(repositoryRoot, '.dependency-cruiser.cjs'),
) as IConfiguration;

describe('the walls between folders', function () {
  let project: string;
  let broken: ReadonlyMap<string, readonly string[]>;

  before(async () => {
    project = mkdtempSync(join(tmpdir(), 'signalpost-walls-'));
    symlinkSync(join(repositoryRoot, 'node_modules'), join(project, 'node_modules'));
    symlinkSync(join(repositoryRoot, 'package.json'), join(project, 'package.json'));
    for (const [path, text] of Object.entries(targets))
      write(path, text || 'export interface Known {}');
    for (const [path, line] of samplesOf(forbiddenImports)) write(path, line);
    for (const [path, line] of allowed()) write(path, line);
    write('src/domain/cycle.ts', "export * from './no-cycles-0.js';");
    broken = await rulesBrokenIn(project);
  });

  after(() => rmSync(project, { recursive: true }));

  function write(path: string, text: string): void {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), `${text}\n`);
  }

  for (const rule of Object.keys(forbiddenImports)) {
    it(`finds each sample that breaks ${rule}`, () => {
      const samples = samplesOf({ [rule]: forbiddenImports[rule] ?? [] });
      for (const [path, line] of samples) {
        const rules = [path, dirname(path)].flatMap((location) => broken.get(location) ?? []);
        expect(rules, `${path}: ${line}`).to.include(rule);
      }
    });
  }

  it('accepts the samples of allowed imports', () => {
    for (const [path, line] of allowed()) {
      expect(broken.get(path) ?? [], `${path}: ${line}`).to.deep.equal([]);
    }
  });

  it('every rule has a sample', () => {
    expect(forbidden.map(({ name }) => name)).to.have.members(Object.keys(forbiddenImports));
  });
});

function samplesOf(samples: Samples): (readonly [path: string, line: string])[] {
  return Object.entries(samples).flatMap(([rule, lines]) =>
    lines.map(([folder, line], index) => [`${folder}/${rule}-${index}.ts`, line] as const),
  );
}

function allowed(): (readonly [path: string, line: string])[] {
  return allowedImports.map(([folder, line], index) => [`${folder}/allowed-${index}.ts`, line]);
}

/** The names of the rules that each file of `house` breaks. */
async function rulesBrokenIn(project: string): Promise<ReadonlyMap<string, string[]>> {
  const { output } = await cruise(
    ['src', 'tools', 'workers', 'cli', 'clients', 'bench', 'test', 'dashboard'],
    {
      ...options,
      baseDir: project,
      validate: true,
      ruleSet: { forbidden },
    },
    { bustTheCache: true },
  );

  const rules = new Map<string, string[]>();

  for (const { from, rule, cycle = [] } of (output as ICruiseResult).summary.violations) {
    for (const file of new Set([from, ...cycle.map(({ name }) => name)])) {
      rules.set(file, [...(rules.get(file) ?? []), rule.name]);
    }
  }

  return rules;
}

const forbiddenSyntax: Samples = {
  'Settings come from src/config/config.ts': [
    ['src', "export const url = process.env['DATABASE_URL'];"],
    ['src', "export const all = process['env'];"],
    ['src', 'export const { env } = process;'],
    ['src', 'export const own = process;'],
    ['src', "export const all = globalThis.process['env'];"],
    ['src', "import { env } from 'node:process'; export const all = env;"],
    ['src', "import own from 'process'; export const all = own.env;"],
    ['src', "export { env } from 'node:process';"],
    ['src', "export const own = import('node:process');"],
    ['workers', 'export const { DATABASE_URL } = process.env;'],
    ['src/domain', 'export const { DATABASE_URL } = process.env;'],
    ['scripts', 'export const { DATABASE_URL } = process.env;'],
  ],
  'Prefer named exports': [
    ['src', 'export default 1;'],
    ['test/unit', 'export default 1;'],
    ['test/support', 'export default 1;'],
    ['bench', 'export default 1;'],
  ],
  'Time is the database’s': [
    ['src/domain', 'export const now = Date.now();'],
    ['src/domain', 'export const clock = Date.now;'],
    ['src/domain', 'export const now = new Date();'],
    ['src/domain', 'export const now = Date();'],
    ['src/domain', 'export const now = performance.now();'],
  ],
  'Randomness is passed in': [['src/domain', 'export const random = Math.random();']],
  'Wait for a condition': [
    ['test/unit', 'setTimeout(() => undefined, 5);'],
    ['test/unit', 'globalThis.setTimeout(() => undefined, 5);'],
    ['test/unit', "import { setTimeout as pause } from 'node:timers/promises'; await pause(5);"],
    ['test/fault', "import { scheduler } from 'timers/promises'; await scheduler.wait(5);"],
    [
      'test/unit',
      "import { setImmediate, setInterval } from 'node:timers/promises'; setImmediate();",
    ],
    ['test/e2e', "import timers from 'node:timers/promises'; await timers.setTimeout(5);"],
    ['test/e2e', "import * as timers from 'node:timers'; timers.setTimeout(() => undefined, 5);"],
    ['test/e2e', "const { setTimeout: pause } = await import('node:timers/promises'); pause(5);"],
    ['test/e2e', "import { sleep } from '../support/sleep.js'; await sleep(5);"],
  ],
};

const allowedSyntax: readonly (readonly [path: string, line: string])[] = [
  ['src/config/config.ts', 'export const ownEnvironment = process.env;'],
  ['ormconfig.ts', 'export default 1;'],
  ['src/sample.ts', 'export const id = process.pid; export const now = Date.now();'],
  ['src/domain/sample.ts', 'export const then = new Date(0);'],
  ['test/support/sample.ts', "export { setTimeout as pause } from 'node:timers/promises';"],
  [
    'test/support/sample.ts',
    "import { setTimeout as pause } from 'node:timers/promises'; pause(5);",
  ],
  [
    'test/unit/sample.ts',
    "import { setImmediate as turn } from 'node:timers/promises'; await turn();",
  ],
  ['bench/sample.ts', 'setTimeout(() => undefined, 5);'],
];

describe('the rules of the linter', () => {
  let project: string;

  before(() => (project = mkdtempSync(join(tmpdir(), 'signalpost-lint-'))));
  after(() => {
    rmSync(project, { recursive: true, force: true });
  });

  /** Lints each line as a file of its own. @returns the messages of `no-restricted-syntax` of each line */
  function lint(samples: readonly (readonly [path: string, line: string])[]): string[] {
    const config = JSON.parse(
      readFileSync(join(repositoryRoot, '.oxlintrc.json'), 'utf8'),
    ) as object;
    symlinkSync(join(repositoryRoot, 'node_modules'), join(project, 'node_modules'));

    // Rules with types would need a program.
    writeFileSync(
      join(project, '.oxlintrc.json'),
      JSON.stringify({ ...config, options: { typeAware: false } }),
    );

    const pathOf = (index: number) => {
      const [path = ''] = samples[index] ?? [];
      // Samples of one path are files beside each other, but for paths that the rules name.
      return path.endsWith('sample.ts') ? path.replace('sample', `sample-${index}`) : path;
    };

    samples.forEach(([, line], index) => {
      mkdirSync(dirname(join(project, pathOf(index))), { recursive: true });
      writeFileSync(join(project, pathOf(index)), line);
    });

    const oxlint = join(repositoryRoot, 'node_modules', 'oxlint', 'bin', 'oxlint');
    const { stdout } = spawnSync(process.execPath, [oxlint, '--format', 'json'], {
      cwd: project,
      encoding: 'utf8',
    });

    const { diagnostics } = JSON.parse(stdout) as {
      diagnostics: readonly { code: string; filename: string; message: string }[];
    };
    const chosen = diagnostics.filter(({ code }) => /no-restricted-syntax|no-default/.test(code));
    return samples.map((_, index) =>
      chosen
        .filter(({ filename }) => filename === pathOf(index))
        .map(({ message }) => message)
        .join('; '),
    );
  }

  it('the linter refuses each forbidden line, and no other', () => {
    const forbidden = Object.entries(forbiddenSyntax).flatMap(([message, lines]) =>
      lines.map(([folder, line]) => [`${folder}/sample.ts`, line, message] as const),
    );
    const messages = lint([
      ...forbidden.map(([path, line]) => [path, line] as const),
      ...allowedSyntax,
    ]);

    forbidden.forEach(([path, line, message], index) => {
      expect(messages[index], `${path}: ${line}`).to.include(message);
    });
    allowedSyntax.forEach(([path, line], index) => {
      expect(messages[forbidden.length + index], `${path}: ${line}`).to.equal('');
    });
  });
});
