import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { repositoryRoot } from '../../support/repository.js';

describe('the subject of a commit', () => {
  let subjectIssue: (subject: string) => string | undefined;
  before(async () => {
    const file = pathToFileURL(join(repositoryRoot, 'scripts', 'check-commits.mjs'));
    ({ subjectIssue } = (await import(file.href)) as { subjectIssue: typeof subjectIssue });
  });

  it('is a kind, perhaps a folder, and an imperative', () => {
    for (const subject of [
      'fix(outbound): refuse white space that is not SP or HTAB',
      'docs: write operations, receiving and architecture in plain English',
      'test(workers): need one claim a second',
      'docs(adr): 0022 require large packages',
      'Revert "fix(mail): name the host"',
    ]) {
      expect(subjectIssue(subject), subject).to.equal(undefined);
    }
  });

  it('is refused if it is too long, has no kind, or is not imperative', () => {
    const issues = {
      [`fix(mail): ${'x'.repeat(62)}`]: /73 characters/,
      'wip simulation': /kind\(folder\)/,
      'fix(mail): Name the host': /kind\(folder\)/,
      'fix(mail): names the host': /not "names"/,
      'fix(mail): named the host': /not "named"/,
      'fix(mail): naming the host': /not "naming"/,
      'fix(mail): the host is named': /not "the"/,
    };
    for (const [subject, issue] of Object.entries(issues)) {
      expect(subjectIssue(subject), subject).to.match(issue);
    }
  });
});
