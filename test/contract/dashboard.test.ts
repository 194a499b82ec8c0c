import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect } from 'chai';
import { buildSchema, parse, validate } from 'graphql';
import { repositoryRoot } from '../support/repository.js';
import ts from 'typescript';

/** An entry of Vite's manifest. */
interface Chunk {
  readonly file: string;
  readonly isEntry?: boolean;
  readonly imports?: readonly string[];
}

/** The pages of members, and those of operators: two builds. */
const builds = [
  { pages: 'the built dashboard', folder: ['dashboard'], part: '/pages/', texts: 'src/texts/' },
  {
    pages: 'the built pages of operators',
    folder: ['dashboard', 'operators'],
    part: 'src/operators/',
    texts: '../src/texts/',
  },
];

describe('the pages of the portal', () => {
  const sources = join(repositoryRoot, 'dashboard', 'src');
  const outside =
    /^(?:generated|operators|pages\/(?:account|commerce|components|portal|sign-in))\//;

  it('H244: the pages of the portal request exactly the documents of its manifest', () => {
    const files = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter(
      (file) => /\.tsx?$/.test(file) && !outside.test(file),
    );
    const asked = files.flatMap((file) => {
      const text = readFileSync(join(sources, file), 'utf8');
      return [...text.matchAll(/\b(\w+)Document\b/g)].map(([, name]) => name);
    });

    const generated = join(sources, 'generated', 'portal-documents.json');
    const manifest = JSON.parse(readFileSync(generated, 'utf8')) as Record<string, string>;
    const names = Object.values(manifest).map(
      (text) => /^(?:query|mutation) (\w+)/.exec(text)?.[1],
    );

    // The dashboard asks who disabled an endpoint for owners and admins only, and the portal never.
    // Those of former releases have names of current ones.
    expect([...new Set(asked)]).to.have.members([...new Set(names), 'endpointDisabling']);
  });
});

describe('the forms of all pages', () => {
  it('H281: each form turns off validation by the browser, so that the service says what is wrong', () => {
    const folders = ['dashboard/src', 'src/http/hosted'];
    const forms = folders.flatMap((folder) =>
      readdirSync(join(repositoryRoot, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.tsx?$/.test(file))
        .flatMap((file) => {
          const text = readFileSync(join(repositoryRoot, folder, file), 'utf8');
          return [...text.matchAll(/<form\b[^]*?<\/form>/g)].map(([form]) => ({ file, form }));
        }),
    );

    const withFields = forms.filter(({ form }) =>
      /<(?:input|\w+Field|\w+Area)\b|children/.test(form),
    );
    expect(withFields.length).to.be.at.least(11);
    for (const { file, form } of withFields) expect(form, file).to.match(/\bno[vV]alidate\b/);
  });
});

for (const { pages, folder, part, texts } of builds) {
  describe(pages, () => {
    const built = join(repositoryRoot, 'dist', ...folder);
    const read = (...path: string[]) => readFileSync(join(built, ...path), 'utf8');
    const manifest = JSON.parse(read('manifest.json')) as Readonly<Record<string, Chunk>>;
    const assets = readdirSync(join(built, 'assets'));
    const gzipSize = (file: string) => readFileSync(join(built, `${file}.gz`)).length;

    /** A chunk with all chunks that it imports statically. */
    const withImports = (name: string, seen = new Set<string>()): Set<string> => {
      if (seen.has(name)) return seen;
      seen.add(name);
      for (const imported of manifest[name]?.imports ?? []) withImports(imported, seen);
      return seen;
    };

    it('loads at most 50 KB of compressed script for the first view, with the texts of one language', () => {
      const [entry = ''] = Object.keys(manifest).filter((name) => manifest[name]?.isEntry);
      const views = Object.keys(manifest).filter((name) => name.includes(part));
      const languages = [`${texts}en.ts`, `${texts}de.ts`];

      expect(views).not.to.deep.equal([]);

      for (const view of views) {
        const chunks = [...withImports(view, withImports(entry))];
        expect(chunks).not.to.include.members(languages);

        for (const language of languages) {
          const bytes = [...chunks, language].reduce(
            (sum, name) => sum + gzipSize(manifest[name]?.file ?? ''),
            0,
          );
          expect(bytes, `${entry} with ${view} in ${language}`).to.be.at.most(50 * 1_024);
        }
      }
    });

    it('has no inline code and no code from other hosts', () => {
      const html = read('index.html');
      expect(html).not.to.match(
        /<script(?![^>]*\bsrc=")[^>]*>|<style|\son\w+=|\sstyle=|javascript:/,
      );
      const addresses = [...html.matchAll(/\b(?:src|href)="([^"]*)"/g)].map(
        ([, address]) => address,
      );
      expect(addresses.length).to.be.greaterThan(1);
      for (const address of addresses) expect(address).to.match(/^\/dashboard\/assets\//);
      expect(html).to.match(/<noscript>\s*<p>\w/);
    });

    it('names each asset by its content, and stores compressed copies next to it', () => {
      const plain = assets.filter((name) => !/\.(?:br|gz)$/.test(name));
      expect(plain.filter((name) => !/^[\w-]+-[\w-]{8}\.(?:js|css|svg)$/.test(name))).to.deep.equal(
        [],
      );
      for (const name of plain) expect(assets).to.include.members([`${name}.br`, `${name}.gz`]);
    });

    it('requests only valid documents of the manifest, each by its SHA-256', () => {
      const documents = Object.entries(
        JSON.parse(read('documents.json')) as Record<string, string>,
      );
      const schema = buildSchema(
        readFileSync(join(repositoryRoot, 'schema', 'schema.graphql'), 'utf8'),
      );

      for (const [id, text] of documents) {
        expect(createHash('sha256').update(text).digest('hex')).to.equal(id);
        expect(validate(schema, parse(text)), text).to.deep.equal([]);
      }

      const code = assets
        .filter((name) => name.endsWith('.js'))
        .map((name) => read('assets', name));
      const ids = [...code.join('\n').matchAll(/\b[0-9a-f]{64}\b/g)].map(([found]) => found);
      expect(ids).not.to.deep.equal([]);
      expect(documents.map(([id]) => id)).to.include.members(ids);
    });

    it('contains neither texts of documents nor the page of components', () => {
      for (const name of assets.filter((file) => file.endsWith('.js'))) {
        expect(read('assets', name), name).not.to.match(/(?:query|mutation) \w+[({]|_components/);
      }
    });
  });
}

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
  it('the page of components shows what each file of components exports', () => {
    const exported = filesIn('components').flatMap(exportsOf);
    expect(exported.length).to.be.greaterThan(20);
    expect(exported.filter((part) => !imported.has(part))).to.deep.equal([]);
  });

  it('the page of components shows each part of a page that its file exports', () => {
    expect(pageParts.length).to.be.greaterThan(40);
    expect(pageParts.filter((part) => !imported.has(part))).to.deep.equal([]);
  });

  it('the page of components names each component file, and each file that exports a part of a page', () => {
    const files = [...filesIn('components'), ...pageParts.map((part) => part.split(' ')[0] ?? '')];
    expect(files.filter((file) => !named.includes(file))).to.deep.equal([]);
  });

  it('the page of components names only files that exist', () => {
    expect(named.filter((file) => !existsSync(join(source, file)))).to.deep.equal([]);
    const exported = filesIn('pages').flatMap(exportsOf);
    expect(shownByPages.filter((part) => !exported.includes(part))).to.deep.equal([]);
  });
});

const folder = join(repositoryRoot, 'dashboard', 'src');
/** Attributes that people read or hear. */
const spoken = /^(?:title|label|alt|placeholder|aria-label|aria-description|lead|hint)$/;
/** Names, examples and commands, which are the same in every language. */
const names =
  /^(?:Signalpost|https:\/\/example\.com\/webhooks|WEBHOOK_SECRET=whsec_…|(?:sk_)?live_|npm run admin -- .*|#rrggbb)$/;

describe('components of the dashboard', () => {
  it('components contain no texts: all texts are in the catalogues', () => {
    const found = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.tsx') && !file.startsWith(join('pages', 'components')))
      .flatMap((file) => textsIn(file, readFileSync(join(folder, file), 'utf8')));
    expect(found).to.deep.equal([]);
  });

  it('the search finds texts between tags and in attributes', () => {
    const code = '<p title="Two words">Hello <b class="x">{text.a}</b> 1 · ↑</p>';
    expect(textsIn('a.tsx', code)).to.deep.equal(['a.tsx: Two words', 'a.tsx: Hello']);
    expect(textsIn('a.tsx', "<A label={'Name'} href='b' />")).to.deep.equal(['a.tsx: Name']);
    expect(textsIn('a.tsx', '<b>{ok ? "Yes" : text.no} Signalpost</b>')).to.deep.equal([
      'a.tsx: Yes',
    ]);
  });
});

function textsIn(file: string, code: string): readonly string[] {
  const found: string[] = [];
  const note = (value: string) => {
    const words = value.trim();
    if (/\p{L}{2}/u.test(words) && !names.test(words)) found.push(`${file}: ${words}`);
  };
  const walk = (node: ts.Node, shown: boolean): void => {
    if (ts.isJsxText(node)) note(node.text);
    if (shown && ts.isStringLiteral(node)) note(node.text);
    ts.forEachChild(node, (child) => walk(child, isShown(node, child, shown)));
  };
  walk(ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX), false);
  return found;
}

/** Whether a string literal that is `child` or a branch of it stands in the page. */
function isShown(node: ts.Node, child: ts.Node, shown: boolean): boolean {
  if (ts.isJsxAttribute(node)) return spoken.test(node.name.getText());
  if (ts.isJsxExpression(node)) return shown || !ts.isJsxAttribute(node.parent);
  if (ts.isConditionalExpression(node)) return shown && child !== node.condition;
  return shown && ts.isParenthesizedExpression(node);
}
