import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { expect } from 'chai';
import { repositoryRoot } from '../support/repository.js';
import { runProgram } from '../support/process.js';

const folder = join(repositoryRoot, 'deploy', 'docker');
const dockerfile = readFileSync(join(folder, 'Dockerfile'), 'utf8');

describe('the image', () => {
  it('the Dockerfile breaks no rule', () => {
    expect(dockerfileProblems(dockerfile)).to.deep.equal([]);
  });

  for (const [problem, from, to] of [
    ['the base docker.io/library/node:24 is not pinned', ':24.21.0-trixie-slim', ':24'],
    ['the base docker.io/library/node:latest is not pinned', ':24.21.0-trixie-slim', ':latest'],
    ['the user is ""', 'USER 10001:10001', ''],
    ['the user is "0:0"', 'USER 10001:10001', 'USER 0:0'],
    ['CMD is not in exec form', 'CMD ["api"]', 'CMD api'],
    ['HEALTHCHECK is not in exec form', 'CMD ["node", "/app/healthcheck.mjs"]', 'CMD node x'],
    ['npm ci runs scripts of packages', ' "--ignore-scripts",', ''],
    ['the label revision is missing', 'image.revision=', 'image.x='],
    ['ENV SECRET_KEY=x would keep a secret in the image', 'USER 1', 'ENV SECRET_KEY=x\nUSER 1'],
  ] as const) {
    it(`the rules refuse an image when ${problem}`, () => {
      expect(dockerfile).to.include(from);
      expect(dockerfileProblems(dockerfile.replace(from, to))).to.include(problem);
    });
  }

  it('the image copies files that exist', () => {
    const paths = copiedPaths(dockerfile);
    expect(paths).to.include('deploy/docker/healthcheck.mjs');
    for (const path of paths) expect(existsSync(join(repositoryRoot, path)), path).to.equal(true);
  });

  it('the image has the operations that dashboard and command line name by their id', () => {
    expect(dockerfile).to.match(/^COPY --from=build .*\/dist\/dashboard\/ dist\/dashboard\/$/m);
    expect(dockerfile).to.match(/^COPY --from=build .*\/dist\/cli\/documents\.json dist\/cli\/$/m);
  });

  it('the image has the files of the command line that its processes import', () => {
    const imported = new Set<string>();
    const visit = (file: string) => {
      const text = readFileSync(file, 'utf8');
      for (const [, specifier = ''] of text.matchAll(/(?:from|import\() ?'(\.[^']+)\.js'/g)) {
        const target = relative(repositoryRoot, join(dirname(file), specifier));
        if (!target.startsWith('cli/') || imported.has(target)) continue;
        imported.add(target);
        visit(join(repositoryRoot, `${target}.ts`));
      }
    };

    for (const folder of ['src', 'workers', 'tools']) {
      const files = readdirSync(join(repositoryRoot, folder), {
        recursive: true,
        encoding: 'utf8',
      });
      for (const file of files.filter((name) => name.endsWith('.ts'))) {
        visit(join(repositoryRoot, folder, file));
      }
    }

    expect(imported).not.to.have.lengthOf(0);

    for (const path of imported) {
      const line = new RegExp(
        `^COPY --from=build .*/dist/${path}\\.js .*dist/${dirname(path)}/$`,
        'm',
      );
      expect(dockerfile, path).to.match(line);
    }
  });

  it('the image lacks what no process reads, and lists the packages that it has', () => {
    const home = mkdtempSync(join(tmpdir(), 'signalpost-trim-'));
    try {
      const write = (path: string, text = '') => {
        mkdirSync(dirname(join(home, path)), { recursive: true });
        writeFileSync(join(home, path), text);
      };

      for (const name of ['index.js', 'index.js.map', 'index.d.ts', 'deep/index.d.mts'])
        write(`node_modules/@a/b/${name}`);

      const packages = { 'node_modules/@a/b': { version: '1.0.0' } };
      write('node_modules/.package-lock.json', JSON.stringify({ packages }));

      const component = (group: string, name: string) => ({
        ...(group && { group }),
        name,
        version: '1.0.0',
        'bom-ref': name,
      });

      const sbom = {
        metadata: { component: component('', 'signalpost') },
        components: [component('@a', 'b'), component('', 'optional')],
        dependencies: [{ ref: 'signalpost', dependsOn: ['b', 'optional'] }, { ref: 'optional' }],
      };

      write('sbom.json', JSON.stringify(sbom));
      execFileSync(process.execPath, [join(folder, 'trim.mjs')], { cwd: home });

      const exists = (name: string) => existsSync(join(home, 'node_modules/@a/b', name));
      const names = ['index.js', 'index.js.map', 'index.d.ts', 'deep/index.d.mts'];
      expect(names.filter(exists)).to.deep.equal(['index.js']);

      expect(JSON.parse(readFileSync(join(home, 'sbom.json'), 'utf8'))).to.deep.include({
        components: [component('@a', 'b')],
        dependencies: [{ ref: 'signalpost', dependsOn: ['b'] }],
      });
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  });

  it('the health check passes while /livez answers 200, and fails when the port is closed', async () => {
    const server = createServer((request, response) => {
      response.statusCode = request.url === '/livez' ? 200 : 503;
      response.end();
    });

    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

    const port = String((server.address() as AddressInfo).port);
    const check = async () => {
      const environment = { INTERNAL_HOST: '0.0.0.0', INTERNAL_PORT: port, WORKER_PORT: port };
      return (await runProgram('../deploy/docker/healthcheck.mjs', [], environment)).code;
    };

    expect(await check()).to.equal(0);

    await new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });

    expect(await check()).to.equal(1);
  });
});

/** An instruction of a Dockerfile, in the order of the file, with the stage that it belongs to. */
interface Instruction {
  readonly name: string;
  readonly value: string;
  readonly stage: string;
}

/** Splits a Dockerfile into instructions; lines that end with a backslash go on. */
function instructionsOf(text: string): Instruction[] {
  const lines = text
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line.trim() !== '');

  let stage = '';
  return lines.map((line) => {
    const [, name = '', value = ''] = /^(\S+)\s+(.*)$/.exec(line.trim()) ?? [];
    if (name === 'FROM') stage = / AS (\S+)$/.exec(value)?.[1] ?? value;
    return { name, value: value.trim(), stage };
  });
}

/** A base is pinned by its whole version or by its digest. */
const pinned = /(:\d+\.\d+\.\d+(-[\w.-]+)?|@sha256:[0-9a-f]{64})$/;

const isExecForm = (value: string): boolean => {
  try {
    return Array.isArray(JSON.parse(value));
  } catch {
    return false;
  }
};

/** The rules that a Dockerfile of ours breaks, one sentence each. */
function dockerfileProblems(text: string): string[] {
  const all = instructionsOf(text);
  const variables = new Map(
    all
      .filter(({ name }) => name === 'ARG')
      .map(({ value }) => value.split('=', 2) as [string, string]),
  );

  const last = all.at(-1)?.stage ?? '';
  const ofLast = (name: string) => all.filter((one) => one.stage === last && one.name === name);
  const problems: string[] = [];
  const stages = new Set(all.map(({ stage }) => stage));

  for (const { value } of all.filter(({ name }) => name === 'FROM')) {
    const [from = ''] = value.split(' ');
    const base = from.replace(/\$\{(\w+)\}/g, (_, name: string) => variables.get(name) ?? '');
    if (!stages.has(base) && !pinned.test(base)) problems.push(`the base ${base} is not pinned`);
    if (!/ AS \w+$/.test(value)) problems.push(`the stage of ${base} has no name`);
  }

  const user = ofLast('USER').at(-1)?.value ?? '';
  if (!/^[1-9]\d{3,}:[1-9]\d{3,}$/.test(user)) problems.push(`the user is "${user}"`);

  for (const name of ['ENTRYPOINT', 'CMD', 'HEALTHCHECK']) {
    const [one] = ofLast(name);
    const command = name === 'HEALTHCHECK' ? one?.value.replace(/^.*? CMD /, '') : one?.value;
    if (!isExecForm(command ?? '')) problems.push(`${name} is not in exec form`);
  }

  if (ofLast('RUN').length > 0) problems.push('the last stage runs commands');

  for (const { name, value } of all) {
    if (name === 'ADD') problems.push('ADD may fetch: use COPY');
    if (name === 'RUN' && !isExecForm(value)) problems.push(`RUN ${value} is not in exec form`);
    if (name === 'RUN' && /"npm", "(install|i)"/.test(value))
      problems.push('npm install ignores the lock file');
    if (name === 'RUN' && value.includes('"ci"') && !value.includes('--ignore-scripts'))
      problems.push('npm ci runs scripts of packages');
    if (/^(ENV|ARG)$/.test(name) && /(SECRET|PASSWORD|TOKEN|_URL)\w*=/.test(value))
      problems.push(`${name} ${value} would keep a secret in the image`);
  }

  const labels = ofLast('LABEL')
    .map(({ value }) => value)
    .join(' ');

  for (const label of ['title', 'description', 'licenses', 'version', 'revision'])
    if (!labels.includes(`org.opencontainers.image.${label}=`))
      problems.push(`the label ${label} is missing`);

  return problems;
}

/** The files that the Dockerfile copies from the project. */
function copiedPaths(text: string): string[] {
  return instructionsOf(text)
    .filter(({ name, value }) => name === 'COPY' && !value.startsWith('--from'))
    .flatMap(({ value }) => value.split(/\s+/).slice(0, -1));
}
