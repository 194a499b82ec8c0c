import { expect } from 'chai';
import fc from 'fast-check';
import { fieldLines } from '../../../cli/output/printer.js';
import { type Column, layOut } from '../../../cli/output/table.js';
import {
  cut,
  jsonLine,
  Painted,
  printable,
  terminalLine,
  textWidth,
} from '../../../cli/output/text.js';

interface Row {
  readonly id: string;
  readonly note: string;
}

const columns: readonly Column<Row>[] = [
  { title: 'ID', text: ({ id }) => id },
  { title: 'NOTE', text: ({ note }) => note, free: true },
];
const rows = [
  {
    id: 'whs_0VbeRhMqhfG4f350f6gHZ1hz',
    note: 'a note that is much longer than the terminal '.repeat(3),
  },
  { id: 'whs_1', note: '短い' },
];

describe('output of the command line', () => {
  it('H175: text of others cannot control the terminal', () => {
    const hostile = '\u001b]0;owned\u0007\u001b[31mred\u009b2J\r\n\u202etxt.exe';
    expect(printable(hostile)).to.equal(
      '\\u001b]0;owned\\u0007\\u001b[31mred\\u009b2J\\u000d\\u000a\\u202etxt.exe',
    );
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(printable(text)).not.to.match(/\p{Cc}/u);
        expect(JSON.parse(jsonLine({ text }))).to.deep.equal({ text });
      }),
    );
  });

  it('H175: the printer escapes data before it colours or joins it, and keeps the colours', () => {
    const red = new Painted('\u001b[31mfailed\u001b[39m');
    expect(terminalLine(['a\nb', red, '\u009b2J\u{e0041}'])).to.equal(
      'a\\u000ab  \u001b[31mfailed\u001b[39m  \\u009b2J\\udb40\\udc41',
    );
    const shown: Column<Row> = { title: 'NOTE', text: ({ note }) => note, style: () => 'red' };
    expect(layOut([shown], [{ id: '', note: '\u001b[2J' }])).to.deep.equal(['NOTE', '\\u001b[2J']);
  });

  it('fits tables to the terminal, and truncates only free text', () => {
    for (const width of [70, 80, 200]) {
      const lines = layOut(columns, rows, width);
      expect(Math.max(...lines.map(textWidth)), String(width)).to.be.at.most(width);
      expect(lines.join('\n')).to.contain('whs_0VbeRhMqhfG4f350f6gHZ1hz');
    }
    expect(layOut(columns, rows, 80)[1]).to.match(/…$/);
  });

  it('prints records on a terminal below 70 columns, and truncates nothing in a file', () => {
    expect(layOut(columns, rows, 60).slice(0, 4)).to.deep.equal([
      'ID    whs_0VbeRhMqhfG4f350f6gHZ1hz',
      `NOTE  ${'a note that is much longer than the terminal '.repeat(3).slice(0, 53)}…`,
      '',
      'ID    whs_1',
    ]);
    expect(layOut(columns, rows).join('\n')).not.to.contain('…');
  });

  it('H175: a table leaves out columns in a fixed order rather than truncate an id', () => {
    const many: readonly Column<Row>[] = [
      ...columns,
      { title: 'FIRST', text: ({ id }) => `${id}1`, spare: 1 },
      { title: 'SECOND', text: ({ id }) => `${id}2`, spare: 2 },
    ];
    const titles = (width: number) => layOut(many, rows, width)[0]?.split(/ +/);
    expect(titles(140)).to.deep.equal(['ID', 'NOTE', 'FIRST', 'SECOND']);
    expect(titles(80)).to.deep.equal(['ID', 'NOTE', 'SECOND']);
    expect(titles(70)).to.deep.equal(['ID', 'NOTE']);
    expect(layOut(many, rows, 69)).to.have.lengthOf(2 * many.length + 1);
  });

  it('counts wide and combining letters as a terminal does', () => {
    expect([textWidth('abc'), textWidth('短い'), textWidth('e\u0301')]).to.deep.equal([3, 4, 1]);
    expect(cut('短い文', 4)).to.equal('短…');
  });

  it('prints nested members indented', () => {
    expect(fieldLines({ id: 'x', tags: [], totals: { total: 5 }, none: null })).to.deep.equal([
      'id      x',
      'tags    –',
      'totals',
      '  total  5',
      'none    –',
    ]);
  });
});
