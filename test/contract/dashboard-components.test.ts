import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect } from 'chai';
import { repositoryRoot } from '../support/repository.js';

const source = join(repositoryRoot, 'dashboard', 'src');
const read = (file: string) => readFileSync(join(source, file), 'utf8');
const filesIn = (folder: string) =>
  readdirSync(join(source, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.tsx'))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`);

/** Parts that the pages of their folder, or another part, show whole. */
const shownByPages = [
  'pages/commerce/sale-page.tsx IdFact',
  'pages/commerce/sale-page.tsx OwnIdFact',
  'pages/commerce/sale-page.tsx TextFact',
  'pages/commerce/sale-page.tsx TimeFact',
  'pages/deliveries/delivery-page.tsx AttemptInspector',
  'pages/endpoints/endpoint-form.tsx EndpointForm',
  'pages/endpoints/health-facts.tsx Waiting',
  'pages/portal/settings-form.tsx SettingsForm',
];

/** The functions that a file exports. */
const exportsOf = (file: string) =>
  [...read(file).matchAll(/^export function (\w+)/gm)].map(([, name = '']) => `${file} ${name}`);

/** The parts of pages: neither whole pages nor hooks. The page of components shows no part of itself. */
const pageParts = filesIn('pages')
  .filter((file) => !file.startsWith('pages/components/'))
  .flatMap(exportsOf)
  .filter((part) => / [A-Z]/.test(part) && !/Page$/.test(part) && !shownByPages.includes(part));

const page = filesIn('pages/components').map(read).join('\n');
/** The files that the page names above what they export. */
const named = [
  ...page.matchAll(/['"]((?:components|pages|shell|styles)\/[\w./-]+\.(?:tsx|css))\b/g),
].map(([, file = '']) => file);
const imported = new Set(
  [...page.matchAll(/import (?:type )?\{([^}]+)\} from '((?:\.\.\/)+[\w/-]+)\.js'/g)].flatMap(
    ([, names = '', path = '']) => {
      const file = `${posix.join('pages/components', path)}.tsx`;
      return names.split(',').map((name) => `${file} ${name.replace('type ', '').trim()}`);
    },
  ),
);

describe('the page of components', () => {
  it('shows what each file of components exports', () => {
    const exported = filesIn('components').flatMap(exportsOf);
    expect(exported.length).to.be.greaterThan(20);
    expect(exported.filter((part) => !imported.has(part))).to.deep.equal([]);
  });

  it('shows each part of a page that its file exports', () => {
    expect(pageParts.length).to.be.greaterThan(40);
    expect(pageParts.filter((part) => !imported.has(part))).to.deep.equal([]);
  });

  it('names each component file, and each file that exports a part of a page', () => {
    const files = [...filesIn('components'), ...pageParts.map((part) => part.split(' ')[0] ?? '')];
    expect(files.filter((file) => !named.includes(file))).to.deep.equal([]);
  });

  it('names only files that exist', () => {
    expect(named.filter((file) => !existsSync(join(source, file)))).to.deep.equal([]);
    const exported = filesIn('pages').flatMap(exportsOf);
    expect(shownByPages.filter((part) => !exported.includes(part))).to.deep.equal([]);
  });
});
