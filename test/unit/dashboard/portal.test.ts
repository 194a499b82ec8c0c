import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { portalPathOf } from '../../../dashboard/src/api/base.js';
import { contrast, mix, themeColours, tokens } from '../../../dashboard/src/portal/portal-theme.js';
import { linkToken } from '../../../dashboard/src/portal/link-token.js';
import {
  logoIssues,
  readLogo,
  originIssues,
  themeIssues,
} from '../../../src/domain/portal/portal-input.js';
import { repositoryRoot } from '../../support/repository.js';

describe('rules of the portal', () => {
  it('H214: accepts origins as browsers write them, at most 10', () => {
    const good = ['https://shop.example', 'https://a.b.example:8443', 'http://localhost:3000'];
    expect(originIssues([...good, 'http://127.0.0.1'])).to.deep.equal([]);

    const bad = [
      'https://shop.example/',
      'https://Shop.example',
      'https://shop.example/path',
      '*',
      'http://shop.example',
      'https://*.example',
      "'self'",
      'https://a.example; script-src *',
      'data:',
      'null',
      '',
      'https://u:p@shop.example',
      'https://shop.example:443',
      'ftp://a',
      'http://localhost.evil.example',
      `https://${'a'.repeat(200)}.example`,
      'https:',
      'https://shop.example https://evil.example',
    ];
    for (const origin of bad) {
      expect(originIssues([origin])[0]?.param, origin).to.equal('origins[0]');
    }

    const many = Array.from({ length: 11 }, (_, place) => `https://s${place}.example`);
    expect(originIssues(many)[0]?.param).to.equal('origins');
    expect(originIssues(many.slice(1))).to.deep.equal([]);
  });

  it('H214: accepts colours as #rrggbb only', () => {
    expect(themeIssues({ accent: '#AABB00', background: null })).to.deep.equal([]);
    for (const accent of ['red', '#abc', '#aabbcc;', 'url(x)', '#aabbcg', 'var(--page)', '']) {
      expect(themeIssues({ accent })[0]?.param, accent).to.equal('theme.accent');
    }
  });

  it('H214: accepts images of three types as a logo, and no SVG', () => {
    const url = (type: string, bytes: string) =>
      `data:image/${type};base64,${Buffer.from(bytes, 'latin1').toString('base64')}`;
    const good = [
      url('png', '\x89PNG\r\n\x1a\nxx'),
      url('jpeg', '\xff\xd8\xff\xe0x'),
      url('webp', 'RIFF\xff\x01\xff\xffWEBPVP8 '),
    ];

    for (const logo of good) expect(readLogo(logo), logo).to.have.property('content');
    expect(readLogo(good[1] ?? '')?.type).to.equal('image/jpeg');

    const bad = [
      url('svg+xml', '<svg onload="x()"/>'),
      url('png', '<html>'),
      url('jpeg', '\x89PNG\r\n\x1a\nxx'),
      'https://shop.example/logo.png',
      'data:text/html;base64,aVZC',
      url('png', `\x89PNG\r\n\x1a\n${'x'.repeat(33_000)}`),
    ];

    for (const logo of bad) expect(logoIssues(logo)[0]?.param, logo.slice(0, 40)).to.equal('logo');
    expect(logoIssues(null)).to.deep.equal([]);
  });

  it('H214: uses a custom colour only where text on it and in it is readable', () => {
    const used = (accent: string | null, background: string | null) =>
      themeColours({ scheme: null, accent, background });
    const navy = used('#1a2b6d', null);
    expect(navy.refused).to.deep.equal({ accent: ['dark'], background: [] });
    expect(navy.colours['accent']).to.deep.equal({ light: '#1a2b6d', dark: tokens.dark['accent'] });

    expect(used('#ffff00', '#808080').refused).to.deep.equal({
      accent: ['light'],
      background: ['light', 'dark'],
    });

    expect(used(null, '#fffdf5').colours['page']?.light).to.equal('#fffdf5');

    for (let step = 0; step < 200; step += 1) {
      const colour = `#${((step * 9_973 * 977) % 0xffffff).toString(16).padStart(6, '0')}`;
      const { colours } = used(colour, colour);

      for (const scheme of ['light', 'dark'] as const) {
        const of = (name: string) => colours[name]?.[scheme] ?? '';

        for (const [one, other] of [
          ['accent', 'page'],
          ['accent', 'accent-soft'],
          ['accent-hover', 'page'],
          ['on-accent', 'accent'],
          ['on-accent', 'accent-hover'],
        ] as const) {
          const ratio = contrast(of(one), of(other));
          expect(ratio, `${colour}, ${scheme}: ${one} on ${other}`).to.be.at.least(4.5);
        }

        expect(contrast(tokens[scheme]['ink-faint'] ?? '', of('page'))).to.be.at.least(4.4);
      }
    }
  });

  it('has the colours of the tokens', () => {
    const css = readFileSync(join(repositoryRoot, 'dashboard/src/styles/tokens.css'), 'utf8');
    for (const [name, light] of Object.entries(tokens.light)) {
      const value = `light-dark(${light}, ${tokens.dark[name] ?? ''})`;
      expect(css, name).to.include(`--${name}: ${value};`);
    }
  });

  it('computes contrast as WCAG does', () => {
    expect(contrast('#000000', '#ffffff')).to.equal(21);
    expect(contrast('#777777', '#ffffff')).to.be.closeTo(4.48, 0.01);
    expect(contrast('red', '#ffffff')).to.equal(1);
    expect(mix('#000000', '#ffffff', 0.5)).to.equal('#808080');
  });

  it('accepts a link from the surrounding page only if it leads to the same portal', () => {
    const here = 'https://hooks.example/portal/acc_1';
    const token = 't'.repeat(43);
    expect(linkToken(`${here}/#${token}`, here)).to.equal(token);

    for (const link of [
      `https://evil.example/portal/acc_1/#${token}`,
      `${here}2/#${token}`,
      `${here}/#short`,
      `${here}/#${token}x`,
      `javascript:x#${token}`,
      7,
      null,
      {},
    ]) {
      expect(linkToken(link, here), JSON.stringify(link)).to.equal(undefined);
    }

    expect(portalPathOf('/portal/acc_1/endpoints')).to.equal('/portal/acc_1');
    expect(portalPathOf('/portal/acc_1')).to.equal('/portal/acc_1');
    expect(portalPathOf('/dashboard/portal/acc_1')).to.equal(undefined);
    expect(portalPathOf('/portal/evil')).to.equal(undefined);
  });
});
