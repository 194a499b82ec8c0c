import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../support/repository.js';
import { expect } from 'chai';

/** The numbers of docs/contract.md, and the numbers in titles of tests. */
interface ContractNumbers {
  /** Every number with a decision, in document order, with repetitions. */
  readonly decided: readonly string[];
  /** Numbers that no request can show. */
  readonly unobservable: readonly string[];
  /** Numbers in titles of all tests, each with one file that has it. */
  readonly named: ReadonlyMap<string, string>;
  /** The same for tests with real processes: test/e2e and test/fault. */
  readonly tested: ReadonlyMap<string, string>;
}

const tests = join(repositoryRoot, 'test');

/** Every number that the contract must have. */
const allNumbers: readonly string[] = [
  ...numbered('H', 96),
  'H105',
  'H106',
  'H110',
  'H113',
  'H114',
  'H115',
  'H116',
  'H117',
  'H118',
  'H119',
  'H120',
  'H121',
  'H122',
  'H123',
  'H124',
  'H125',
  'H128',
  'H129',
  'H130',
  'H131',
  'H132',
  'H133',
  'H134',
  'H135',
  'H136',
  'H137',
  'H138',
  'H139',
  'H140',
  'H141',
  'H142',
  'H143',
  'H144',
  'H145',
  'H146',
  'H147',
  'H148',
  'H149',
  'H150',
  'H151',
  'H152',
  'H153',
  'H154',
  'H155',
  'H156',
  'H157',
  'H158',
  'H159',
  'H160',
  'H161',
  'H162',
  'H163',
  'H164',
  'H165',
  'H166',
  'H167',
  'H168',
  'H169',
  'H170',
  'H171',
  'H172',
  'H173',
  'H174',
  'H175',
  'H176',
  'H177',
  'H178',
  'H179',
  'H180',
  'H181',
  'H182',
  'H183',
  'H184',
  'H191',
  'H192',
  'H193',
  'H188',
  'H189',
  'H194',
  'H195',
  'H185',
  'H186',
  'H201',
  'H196',
  'H197',
  'H202',
  'H203',
  'H204',
  'H205',
  'H206',
  'H207',
  'H208',
  'H211',
  'H212',
  'H213',
  'H214',
  'H215',
  'H216',
  'H217',
  'H218',
  'H221',
  'H222',
  'H223',
  'H224',
  'H225',
  'H226',
  'H227',
  'H228',
  'H232',
  'H233',
  'H239',
  'H240',
  'H241',
  'H242',
  'H243',
  'H244',
  'H245',
  'H246',
  'H247',
  'H251',
  'H252',
  'H253',
  'H254',
  'H255',
  'H256',
  'H257',
  'H260',
  'H261',
  'H267',
  'H268',
  'H269',
  'H263',
  'H264',
  'H265',
  'H266',
  'H276',
  'H277',
  'H270',
  'H248',
  'H249',
  'H250',
  'H280',
  'H281',
  'H282',
  'H283',
  'H284',
  'H285',
  'H286',
  'H287',
  'H288',
  'H289',
  'H290',
  'H300',
  'H301',
  'H302',
  'H303',
  'H294',
  'H295',
  'H296',
  'H297',
  'H298',
  'H291',
  'H292',
  'H293',
  'H299',
  'H304',
  'H305',
  'H306',
  'H307',
  'H274',
  'H275',
  'H272',
  'H278',
  'H279',
  ...numbered('A', 46),
];

function numbered(letter: string, last: number): string[] {
  return Array.from({ length: last }, (_, index) => `${letter}${index + 1}`);
}

/** Reads the document and the titles of the tests. */
function readContractNumbers(): ContractNumbers {
  const text = readFileSync(join(repositoryRoot, 'docs', 'contract.md'), 'utf8');
  const files = readdirSync(tests, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.test.ts'),
  );
  return {
    decided: [...text.matchAll(/^- \*\*([HA]\d+)\*\* \S/gm)].map((match) => match[1] ?? ''),
    unobservable: rowsOf(text, 'Not observable'),
    named: namesIn(files),
    tested: namesIn(files.filter((file) => /^(e2e|fault)[/\\]/.test(file))),
  };
}

function namesIn(files: readonly string[]): Map<string, string> {
  return new Map(
    files.flatMap((file) =>
      numbersInTitles(readFileSync(join(tests, file), 'utf8')).map(
        (number) => [number, `test/${file}`] as const,
      ),
    ),
  );
}

/** The numbers at the start of titles in a test file, as in `it('H12, A3: ids …')`. */
function numbersInTitles(source: string): string[] {
  return [...source.matchAll(/\bit\(\s*['"`]((?:[HA]\d+, )*[HA]\d+): /g)].flatMap((match) =>
    (match[1] ?? '').split(', '),
  );
}

/** The differences between document and tests; empty when they agree. */
function disagreements(numbers: ContractNumbers): string[] {
  const { decided, unobservable, named, tested } = numbers;
  const known = new Set(decided);
  const excused = new Set(unobservable);
  return [
    ...allNumbers
      .filter((number) => !known.has(number))
      .map((number) => `${number} has no decision in docs/contract.md`),
    ...decided
      .filter((number) => !allNumbers.includes(number))
      .map((number) => `${number} is not a number of the contract`),
    ...decided
      .filter((number, index) => decided.indexOf(number) !== index)
      .map((number) => `${number} is decided twice`),
    ...[...excused]
      .filter((number) => !known.has(number))
      .map((number) => `${number} is excused but not decided`),
    ...[...named]
      .filter(([number]) => !known.has(number))
      .map(([number, file]) => `${number} in a title of ${file} does not exist`),
    ...[...tested]
      .filter(([number]) => excused.has(number))
      .map(([number, file]) => `${number} is excused from tests, yet ${file} tests it`),
    ...decided
      .filter((number) => !excused.has(number) && !tested.has(number))
      .map((number) => `${number} has no test in test/e2e or test/fault`),
  ];
}

function rowsOf(text: string, heading: string): string[] {
  const section = text.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return [...section.matchAll(/^\| ([HA]\d+) +\|/gm)].map((match) => match[1] ?? '');
}

describe('numbers of the contract', () => {
  it('docs/contract.md decides each number of the contract, and a test names it', () => {
    expect(disagreements(readContractNumbers())).to.deep.equal([]);
  });

  it('finds the numbers of a title, also several', () => {
    const source = [
      "it('H1, A18: shows every member', …",
      'it(\n    `H2: is active in ${mode}`, …',
      "it('reads H3', …",
      "it('H4 is no list', …",
      "describe('H5: no', …",
    ].join('\n');
    expect(numbersInTitles(source)).to.deep.equal(['H1', 'A18', 'H2']);
  });

  it('reports a decision that is missing, unknown or made twice', () => {
    const decided = [...allNumbers.filter((number) => number !== 'H7'), 'H97', 'A1'];
    expect(disagreements(agreeing({ decided }))).to.have.members([
      'H7 has no decision in docs/contract.md',
      'H7 in a title of some.test.ts does not exist',
      'H97 is not a number of the contract',
      'H97 has no test in test/e2e or test/fault',
      'A1 is decided twice',
    ]);
  });

  it('reports a title with a number that does not exist', () => {
    const named = new Map([...everyNumberTested, ['H100', 'some.test.ts'] as const]);
    expect(disagreements(agreeing({ named }))).to.deep.equal([
      'H100 in a title of some.test.ts does not exist',
    ]);
  });

  it('reports an observable decision without a test', () => {
    const tested = new Map([...everyNumberTested].filter(([number]) => number !== 'A9'));
    expect(disagreements(agreeing({ tested }))).to.deep.equal([
      'A9 has no test in test/e2e or test/fault',
    ]);
    expect(disagreements(agreeing({ tested, unobservable: ['A9'] }))).to.deep.equal([]);
  });

  it('reports a number that is excused from tests and tested all the same', () => {
    expect(disagreements(agreeing({ unobservable: ['H96'] }))).to.deep.equal([
      'H96 is excused from tests, yet some.test.ts tests it',
    ]);
  });
});

const everyNumberTested = new Map(allNumbers.map((number) => [number, 'some.test.ts'] as const));

function agreeing(changes: Partial<ContractNumbers>): ContractNumbers {
  return {
    decided: allNumbers,
    unobservable: [],
    named: everyNumberTested,
    tested: everyNumberTested,
    ...changes,
  };
}
