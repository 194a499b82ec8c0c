import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { repositoryRoot } from '../support/repository.js';

const source = join(repositoryRoot, 'dashboard', 'src');
const read = (file: string) => readFileSync(join(source, file), 'utf8');
const filesIn = (folder: string) =>
  readdirSync(join(source, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.tsx'))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`);

/** Parts of pages that are no components for others, such as a whole page. */
const parts = /-page\.tsx$|^pages\/(?:components|sign-in)\//;

/** Shared by the pages of its folder only, which show it whole. */
const ofOnePage = [
  'pages/commerce/sale-page.tsx',
  'pages/deliveries/attempt-inspector.tsx',
  'pages/endpoints/endpoint-details.tsx',
  'pages/endpoints/endpoint-form.tsx',
  'pages/portal/settings-form.tsx',
  'pages/recoveries/recovery-form.tsx',
  'pages/recoveries/recovery-preview.tsx',
];

const page = filesIn('pages/components').map(read).join('\n');
/** The files that the page names above what they export. */
const named = [
  ...page.matchAll(/['"]((?:components|pages|shell|styles)\/[\w./-]+\.(?:tsx|css))\b/g),
].map(([, file = '']) => file);
const imported = new Set(
  [
    ...page.matchAll(/import (?:type )?\{([^}]+)\} from '\.\.\/\.\.\/components\/([\w-]+)\.js'/g),
  ].flatMap(([, names = '', file = '']) =>
    names.split(',').map((name) => `${file}.tsx ${name.replace('type ', '').trim()}`),
  ),
);

describe('the page of components', () => {
  it('shows what each file of components exports', () => {
    const exported = filesIn('components').flatMap((file) =>
      [...read(file).matchAll(/^export function (\w+)/gm)].map(
        ([, name = '']) => `${file.replace('components/', '')} ${name}`,
      ),
    );
    expect(exported.length).to.be.greaterThan(20);
    expect(exported.filter((each) => !imported.has(each))).to.deep.equal([]);
  });

  it('names each component file, and each that a page has beside itself', () => {
    const files = [...filesIn('components'), ...filesIn('pages')].filter(
      (file) => !parts.test(file) && !ofOnePage.includes(file),
    );
    expect(files.filter((file) => !named.includes(file))).to.deep.equal([]);
  });

  it('names only files that exist', () => {
    expect(named.filter((file) => !existsSync(join(source, file)))).to.deep.equal([]);
    expect(ofOnePage.filter((file) => !existsSync(join(source, file)))).to.deep.equal([]);
  });
});
