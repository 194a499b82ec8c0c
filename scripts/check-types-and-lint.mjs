// Checks the types and the lint rules of all code, and prints what is wrong.
// Both use one TypeScript program: most of the time of typed rules is spent on finding types.
import { ESLint } from 'eslint';
import ts from 'typescript';
import { root } from './prepare.mjs';

process.chdir(root);
const host = {
  getCanonicalFileName: (name) => name,
  getCurrentDirectory: () => root,
  getNewLine: () => '\n',
};
const fail = (diagnostics) => {
  process.stdout.write(ts.formatDiagnostics(diagnostics, host));
  process.exit(1);
};

/** The program of one project. Typed rules report nonsense about code whose types are wrong. */
const checkedProgram = (path) => {
  const config = ts.getParsedCommandLineOfConfigFile(
    path,
    { noEmit: true, incremental: false },
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: (diagnostic) => fail([diagnostic]) },
  );
  const program = ts.createProgram(config.fileNames, config.options);
  const diagnostics = [...config.errors, ...ts.getPreEmitDiagnostics(program)];
  if (diagnostics.length > 0) fail(diagnostics);
  return program;
};
const withProgram = (files, path) => ({
  files,
  languageOptions: { parserOptions: { project: null, programs: [checkedProgram(path)] } },
});

const eslint = new ESLint({
  overrideConfig: [
    withProgram(['**/*.ts'], 'tsconfig.json'),
    withProgram(['dashboard/**/*.{ts,tsx}'], 'dashboard/tsconfig.json'),
  ],
});
const results = await eslint.lintFiles(process.argv.slice(2));
process.stdout.write(await (await eslint.loadFormatter('stylish')).format(results));
process.exitCode = results.some(({ errorCount }) => errorCount > 0) ? 1 : 0;
