// Checks the subjects of all commits since the one that added this file, or those of a shallow clone.
// With the argument of git's hook commit-msg, checks the message in that file instead.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const longestSubject = 72;
const here = fileURLToPath(import.meta.url);

/**
 * Returns what is wrong with the subject of a commit; undefined when it is valid.
 * @param {string} subject
 */
export function subjectIssue(subject) {
  if (/^(Merge|Revert|fixup!|squash!) /.test(subject)) return undefined;
  if (subject.length > longestSubject) return `has ${subject.length} characters, at most 72`;
  const [, verb] = /^[a-z]+(?:\([^()]+\))?: (?:\d{4} )?([a-z]+)\b/.exec(subject) ?? [];
  if (verb === undefined)
    return 'must be "kind(folder): verb …", such as "fix(mail): name the host"';
  const isFinite = /(?:[^s]s|[^e]ed|ing)$/.test(verb) && !/^(?:bring|focus|string)$/.test(verb);
  if (isFinite || /^(?:an?|the|no|every)$/.test(verb)) {
    return `must begin with a verb in the imperative, not "${verb}"`;
  }
  return undefined;
}

function subjects() {
  const git = (...args) => execFileSync('git', args, { encoding: 'utf8' }).trim();
  // The oldest commit of a shallow clone adds all files, and git has no commit before it.
  const first = git('log', '--diff-filter=A', '--format=%H', '-1', '--', here);
  return git('log', '--no-merges', '--format=%s', first === '' ? '-1' : `${first}..HEAD`).split(
    '\n',
  );
}

function check() {
  const [file] = process.argv.slice(2);
  const checked = file ? [readFileSync(file, 'utf8').split('\n', 1)[0]] : subjects();
  for (const subject of checked.filter((text) => text !== '')) {
    const issue = subjectIssue(subject);
    if (issue === undefined) continue;
    process.stderr.write(`The subject of a commit ${issue}:\n  ${subject}\n`);
    process.exitCode = 1;
  }
}

if (process.argv[1] === here) check();
