import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import ts from 'typescript';
import { repositoryRoot } from '../support/repository.js';
import { type RetiredWord, retiredNames, retiredWords } from '../support/retired-words.js';

interface Name {
  readonly name: string;
  readonly at: string;
}

/** SQL that the project sends: statements begin with one of these. */
const sql = /^[\s(]*(?:select|insert|update|delete|with|create|alter|drop|lock|notify|listen)\b/i;
/** Names of columns, metrics, statements, codes and fields of logs, alone or within a text. */
const composed = /\b[a-z][a-z0-9]*(?:_[a-z0-9]+)+\b|^[a-z][a-z0-9]*(?:-[a-z0-9]+)+$/g;
/** Values such as a reason in a log. Those of tests may be any input. */
const value = /^[a-z]+$/g;
/** Names of alerts, metrics, labels and values of charts, and titles of dashboards. */
const deployed = /\b[A-Za-z][a-z0-9]*(?:[A-Z][a-z0-9]*|_[a-z0-9]+)+|(?<="title": ")[^"]+/g;

const tracked = execFileSync('git', ['ls-files'], {
  cwd: repositoryRoot,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => /^(?:src|workers|tools|cli|dashboard|deploy|test|bench|scripts)\//.test(path));
const ownFiles = ['test/contract/retired-words.test.ts', 'test/support/retired-words.ts'];

/** The words of a name in any case, between blanks. */
function wordsOf(name: string): string {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').split(/[^A-Za-z0-9]+/);
  return ` ${words.join(' ').toLowerCase()} `;
}

/** Every name that a file declares, and every name in its SQL and among its metrics and codes. */
function namesIn(path: string, text = readFileSync(join(repositoryRoot, path), 'utf8')): Name[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const names: Name[] = [];
  const add = (name: string, node: ts.Node) => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
    names.push({ name, at: `${path}:${line + 1}` });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) {
      if (isDeclared(node)) add(node.text, node);
    } else if (ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node)) {
      const values = path.startsWith('test/') ? [] : (node.text.match(value) ?? []);
      const words = sql.test(node.text) ? sqlNames(node) : (node.text.match(composed) ?? values);
      for (const word of words) add(word, node);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return names;
}

function isDeclared(node: ts.Identifier | ts.PrivateIdentifier): boolean {
  const { parent } = node;
  return 'name' in parent && parent.name === node && !ts.isPropertyAccessExpression(parent);
}

/** The names in a statement; its templates and its texts in quotes left out. */
function sqlNames(node: ts.StringLiteralLike | ts.TemplateLiteralToken): string[] {
  const template = ts.isTemplateHead(node) ? node.parent.getText() : node.text;
  return template.replace(/\$\{[^}]*\}|'[^']*'|--.*/g, ' ').match(/[A-Za-z][A-Za-z0-9_]*/g) ?? [];
}

/** The names in a file of `deploy`. */
function deployedNames(path: string, text = readFileSync(join(repositoryRoot, path), 'utf8')) {
  const lines = text.split('\n').entries();
  return [...lines].flatMap(([index, line]) =>
    (line.match(deployed) ?? []).map((name): Name => ({ name, at: `${path}:${index + 1}` })),
  );
}

function mayStay({ exceptions = [] }: RetiredWord, { name, at }: Name): boolean {
  return exceptions.some(
    ({ path, names }) => at.startsWith(path) && (names?.includes(name) ?? true),
  );
}

describe('retired words', () => {
  const files = tracked.map((path) => ({
    name: path.replace(/^test\/fault\//, '').replace(/\.\w+$/, ''),
    at: path,
  }));
  const sources = tracked.filter(
    (path) =>
      /\.(?:tsx?|mjs)$/.test(path) && !path.includes('/generated/') && !ownFiles.includes(path),
  );
  const names = [
    ...files.filter(({ at }) => !ownFiles.includes(at)),
    ...sources.flatMap((path) => namesIn(path)),
    ...tracked.filter((path) => path.startsWith('deploy/')).flatMap((path) => deployedNames(path)),
  ];

  for (const word of retiredWords) {
    it(`"${word.words[0]}" is in no name: use ${word.use}`, () => {
      const found = names.filter((each) => {
        const words = wordsOf(each.name);
        return word.words.some((one) => words.includes(` ${one} `)) && !mayStay(word, each);
      });
      expect(found.map(({ name, at }) => `${at}: ${name}`)).to.deep.equal([]);
    });
  }

  it('are found in symbols, in SQL, in texts, and in alerts and dashboards', () => {
    const planted = [
      'class Settler { #appetite = 1; }',
      'const statement = `\n  select parked from pending_delivery`;',
      "const metric = 'signalpost_chains_total';",
      "const reason = code ?? 'fault';",
    ];
    const found = namesIn('planted.ts', planted.join('\n')).map(({ name, at }) => `${at}: ${name}`);
    expect(found).to.include.members([
      'planted.ts:1: Settler',
      'planted.ts:1: #appetite',
      'planted.ts:2: parked',
      'planted.ts:4: signalpost_chains_total',
      'planted.ts:5: fault',
    ]);
    const alert =
      '- alert: SignalpostFaults\n  expr: rate(signalpost_chains[5m])\n"title": "Faults"';
    expect(deployedNames('planted.yaml', alert).map(({ name }) => name)).to.deep.equal([
      'SignalpostFaults',
      'signalpost_chains',
      'Faults',
    ]);
  });

  it('no type has a name that says nothing of what it holds', () => {
    const found = names.filter(({ name }) => retiredNames.has(name));
    const lines = found.map(({ name, at }) => `${at}: ${name}, use ${retiredNames.get(name)}`);
    expect(lines).to.deep.equal([]);
  });

  it('every exception is used', () => {
    const unused = retiredWords.flatMap(({ words, exceptions = [] }) =>
      exceptions
        .filter(
          ({ path, names: only }) =>
            !names.some(
              ({ name, at }) =>
                at.startsWith(path) &&
                (only?.includes(name) ?? true) &&
                words.some((one) => wordsOf(name).includes(` ${one} `)),
            ),
        )
        .map(({ path }) => `${words[0]} in ${path}`),
    );
    expect(unused).to.deep.equal([]);
  });
});
