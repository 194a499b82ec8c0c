/** An instruction of a Dockerfile, in the order of the file, with the stage that it belongs to. */
interface Instruction {
  readonly name: string;
  readonly value: string;
  readonly stage: string;
}

/** Splits a Dockerfile into instructions; lines that end with a backslash go on. */
function instructionsOf(text: string): Instruction[] {
  const lines = text
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line.trim() !== '');
  let stage = '';
  return lines.map((line) => {
    const [, name = '', value = ''] = /^(\S+)\s+(.*)$/.exec(line.trim()) ?? [];
    if (name === 'FROM') stage = / AS (\S+)$/.exec(value)?.[1] ?? value;
    return { name, value: value.trim(), stage };
  });
}

/** A base is pinned by its whole version or by its digest. */
const pinned = /(:\d+\.\d+\.\d+(-[\w.-]+)?|@sha256:[0-9a-f]{64})$/;

const isExecForm = (value: string): boolean => {
  try {
    return Array.isArray(JSON.parse(value));
  } catch {
    return false;
  }
};

/** The rules that a Dockerfile of ours breaks, one sentence each. */
export function dockerfileProblems(text: string): string[] {
  const all = instructionsOf(text);
  const variables = new Map(
    all
      .filter(({ name }) => name === 'ARG')
      .map(({ value }) => value.split('=', 2) as [string, string]),
  );
  const last = all.at(-1)?.stage ?? '';
  const ofLast = (name: string) => all.filter((one) => one.stage === last && one.name === name);
  const problems: string[] = [];
  const stages = new Set(all.map(({ stage }) => stage));
  for (const { value } of all.filter(({ name }) => name === 'FROM')) {
    const [from = ''] = value.split(' ');
    const base = from.replace(/\$\{(\w+)\}/g, (_, name: string) => variables.get(name) ?? '');
    if (!stages.has(base) && !pinned.test(base)) problems.push(`the base ${base} is not pinned`);
    if (!/ AS \w+$/.test(value)) problems.push(`the stage of ${base} has no name`);
  }
  const user = ofLast('USER').at(-1)?.value ?? '';
  if (!/^[1-9]\d{3,}:[1-9]\d{3,}$/.test(user)) problems.push(`the user is "${user}"`);
  for (const name of ['ENTRYPOINT', 'CMD', 'HEALTHCHECK']) {
    const [one] = ofLast(name);
    const command = name === 'HEALTHCHECK' ? one?.value.replace(/^.*? CMD /, '') : one?.value;
    if (!isExecForm(command ?? '')) problems.push(`${name} is not in exec form`);
  }
  if (ofLast('RUN').length > 0) problems.push('the last stage runs commands');
  for (const { name, value } of all) {
    if (name === 'ADD') problems.push('ADD may fetch: use COPY');
    if (name === 'RUN' && !isExecForm(value)) problems.push(`RUN ${value} is not in exec form`);
    if (name === 'RUN' && /"npm", "(install|i)"/.test(value))
      problems.push('npm install ignores the lock file');
    if (name === 'RUN' && value.includes('"ci"') && !value.includes('--ignore-scripts'))
      problems.push('npm ci runs scripts of packages');
    if (/^(ENV|ARG)$/.test(name) && /(SECRET|PASSWORD|TOKEN|_URL)\w*=/.test(value))
      problems.push(`${name} ${value} would keep a secret in the image`);
  }
  const labels = ofLast('LABEL')
    .map(({ value }) => value)
    .join(' ');
  for (const label of ['title', 'description', 'licenses', 'version', 'revision'])
    if (!labels.includes(`org.opencontainers.image.${label}=`))
      problems.push(`the label ${label} is missing`);
  return problems;
}

/** The files that the Dockerfile copies from the project. */
export function copiedPaths(text: string): string[] {
  return instructionsOf(text)
    .filter(({ name, value }) => name === 'COPY' && !value.startsWith('--from'))
    .flatMap(({ value }) => value.split(/\s+/).slice(0, -1));
}
