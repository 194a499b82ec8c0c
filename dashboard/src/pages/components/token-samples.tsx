import type { ComponentChildren } from 'preact';
import tokensCss from '../../styles/tokens.css?raw';
import { Group, Specimen } from './specimen.js';

const tokens = designTokens(tokensCss);
const named = (part: string) => tokens.filter(({ name }) => name.startsWith(`--${part}`));
const colours = tokens.filter(({ value }) => /^light-dark\(#/.test(value));
const kinds = {
  spaces: named('space-'),
  texts: named('text-'),
  families: tokens.filter(({ value }) => /(?:serif|monospace)$/.test(value)),
  radii: named('radius-'),
  shadows: [...named('shadow'), ...named('ring')],
};
const shown = new Set([colours, ...Object.values(kinds)].flat());
const rest = tokens.filter((token) => !shown.has(token));

/** Every token of the file: colours in both themes, then sizes, then the rest. */
export function TokenSamples() {
  return (
    <Group title="Tokens">
      <Specimen file="styles/tokens.css">
        <div class="token-themes">
          <Theme scheme="light" />
          <Theme scheme="dark" />
        </div>
        <Tokens of={kinds.texts}>
          {({ name }) => <span style={{ fontSize: `var(${name})` }}>An order was paid.</span>}
        </Tokens>
        <Tokens of={kinds.families}>
          {({ name }) => <span style={{ fontFamily: `var(${name})` }}>0O 1lI whd_0Vb</span>}
        </Tokens>
        <Tokens of={kinds.spaces}>
          {({ name }) => <div class="token-size" style={{ width: `var(${name})` }} />}
        </Tokens>
        <Tokens of={kinds.radii}>
          {({ name }) => (
            <div
              class="token-box"
              style={{ borderRadius: `var(${name})`, border: '1px solid var(--line-strong)' }}
            />
          )}
        </Tokens>
        <Tokens of={kinds.shadows}>
          {({ name }) => <div class="token-box" style={{ boxShadow: `var(${name})` }} />}
        </Tokens>
        <Tokens of={rest}>{() => null}</Tokens>
      </Specimen>
    </Group>
  );
}

function Theme({ scheme }: { readonly scheme: 'light' | 'dark' }) {
  return (
    <div class="token-theme" style={{ colorScheme: scheme }}>
      <strong>{scheme}</strong>
      {colours.map(({ name, value }) => (
        <div key={name} class="token-row small">
          <div class="token-colour" style={{ background: `var(${name})` }} />
          <span>
            <code>{name}</code> <span class="soft">{colourOf(value, scheme)}</span>
          </span>
        </div>
      ))}
    </div>
  );
}

/** The colour that the token has in one of the themes. */
function colourOf(value: string, scheme: 'light' | 'dark'): string | undefined {
  return value.match(/#\w+/g)?.[scheme === 'light' ? 0 : 1];
}

interface TokensProps {
  readonly of: readonly DesignToken[];
  readonly children: (token: DesignToken) => ComponentChildren;
}

function Tokens({ of, children }: TokensProps) {
  return (
    <dl class="token-list card card-body">
      {of.map((token) => (
        <div key={token.name}>
          <dt class="small">
            <code>{token.name}</code> <span class="soft">{token.value}</span>
          </dt>
          <dd>{children(token)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A custom property of `styles/tokens.css`. */
interface DesignToken {
  /** With its two leading dashes. */
  readonly name: string;
  readonly value: string;
}

/** Reads the tokens of a style sheet, in its order. */
function designTokens(css: string): readonly DesignToken[] {
  const plain = css.replaceAll(/\/\*.*?\*\//gs, '');
  return [...plain.matchAll(/(--[\w-]+):\s*([^;]+);/g)].map(([, name = '', value = '']) => ({
    name,
    value: value.trim(),
  }));
}
