import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import ts from 'typescript';
import { repositoryRoot } from '../support/repository.js';

const folder = join(repositoryRoot, 'dashboard', 'src');
/** Attributes that people read or hear. */
const spoken = /^(?:title|label|alt|placeholder|aria-label|aria-description|lead|hint)$/;
/** Names, examples and commands, which are the same in every language. */
const names =
  /^(?:Signalpost|https:\/\/example\.com\/webhooks|WEBHOOK_SECRET=whsec_…|(?:sk_)?live_|npm run admin -- .*|#rrggbb)$/;

describe('components of the dashboard', () => {
  it('contain no texts: all texts are in the catalogues', () => {
    const found = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.tsx') && !file.startsWith(join('pages', 'components')))
      .flatMap((file) => textsIn(file, readFileSync(join(folder, file), 'utf8')));
    expect(found).to.deep.equal([]);
  });

  it('are searched for texts between tags and in attributes', () => {
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
