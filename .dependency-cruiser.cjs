const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

/**
 * What one folder may import: files of ours, packages, and modules of Node; a list that is left out
 * allows all. Each makes a rule of its own, whose name says what was broken.
 */
function room(folder, comment, { files, packages, builtins }) {
  const from = { path: `^${folder}/` };
  const name = folder.replace('src/', '');
  return [
    files &&
      rule(`${name}-files`, comment, from, {
        path: '^(src|workers|scripts|bench|test)/',
        pathNot: `^src/(${files.join('|')})`,
      }),
    packages &&
      rule(`${name}-packages`, comment, from, {
        path: 'node_modules/',
        pathNot: `node_modules/(${packages.join('|')})/`,
      }),
    builtins &&
      rule(`${name}-builtins`, comment, from, {
        dependencyTypes: ['core'],
        pathNot: `^(node:)?(${builtins.join('|')})$`,
      }),
  ].filter(Boolean);
}

/** The walls of the house; docs/architecture.md draws them, test/contract/walls.test.ts leans on them. */
module.exports = {
  forbidden: [
    rule('no-cycles', 'Two files that need each other are one idea.', {}, { circular: true }),
    rule(
      'nothing-unresolved',
      'What is imported is there.',
      {},
      { couldNotResolve: true, pathNot: '(^|/)dist/' },
    ),
    rule(
      'no-development-packages',
      'What runs in production is installed in production.',
      { path: '^(src|workers)/' },
      { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'] },
    ),
    ...room('src/domain', 'The business knows TypeORM and a little of Node, nothing else.', {
      files: ['domain/'],
      packages: ['typeorm', 'canonicalize', 'currency-codes'],
      builtins: ['crypto', 'net'],
    }),
    ...room('src/database', 'The database layer carries the domain.', {
      files: ['database/', 'domain/'],
      packages: ['typeorm', 'pg', 'reflect-metadata'],
      builtins: [],
    }),
    ...room('src/queue', 'The queue carries no facts.', {
      // Its connections to PostgreSQL are made as all others are.
      files: ['queue/', 'domain/wakeup\\.ts$', 'database/with-server-settings\\.ts$'],
      // pg is the pool that BullMQ on PostgreSQL is given.
      packages: ['bullmq', 'ioredis', 'pg'],
      // module requires one file of BullMQ.
      builtins: ['module', 'timers/promises'],
    }),
    ...room('src/outbound', 'What talks to strangers knows neither tables nor secrets.', {
      files: [
        'outbound/',
        'domain/delivery/outcome\\.ts$',
        'domain/endpoint/(dial-rule|target|private-targets)\\.ts$',
      ],
      packages: [],
      // crypto and fs read the certificates to trust.
      builtins: ['crypto', 'diagnostics_channel', 'dns/promises', 'fs', 'net', 'tls'],
    }),
    ...room('src/mail', 'What sends mails knows no tables.', {
      files: ['mail/', 'domain/notice/(messages|outcome)\\.ts$'],
      packages: ['nodemailer'],
      builtins: ['crypto', 'fs/promises', 'path'],
    }),
    ...room('src/graphql', 'The schema is served by others.', {
      files: ['graphql/', 'domain/', 'log\\.ts$'],
      packages: [
        '@apollo/server',
        'dataloader',
        'graphql',
        'graphql-jit',
        'reflect-metadata',
        'type-graphql',
      ],
      builtins: ['http'],
    }),
    ...room('src/rest', 'The facade speaks documents; what they do not carry is named here.', {
      files: [
        'rest/',
        'json/',
        'graphql/(context|execute)\\.ts$',
        // Who asks, what was refused, and the key that holds the transaction.
        'domain/(errors|tx|text|unavailable)\\.ts$',
        'domain/account/(credentials|credential-refusal|permission|token)\\.ts$',
        'domain/idempotency/(fingerprint|once)\\.ts$',
        // Finishes a replay whose caller has gone (H76.3).
        'domain/delivery/replay\\.ts$',
        // The formats of openapi.yaml and the fields of its bodies are judged by the domain's rules.
        'domain/endpoint/(email|endpoint-input|judge|target)\\.ts$',
        'domain/offer/(offer-input|offers)\\.ts$',
      ],
      packages: ['@koa/router', 'ajv', 'graphql', 'koa', 'rate-limiter-flexible'],
      builtins: ['http', 'net', 'timers/promises'],
    }),
    rule(
      'rest-runs-no-schema',
      'GraphQL is a type to the facade; execute.ts runs it.',
      { path: '^src/rest/' },
      { path: 'node_modules/graphql/', dependencyTypesNot: ['type-only'] },
    ),
    ...room(
      'src/page',
      'The door of buyers: it knows checkouts and offers, and how the edge refuses.',
      {
        files: [
          'page/',
          'domain/checkout/hosted-checkout\\.ts$',
          'domain/commerce/amount-text\\.ts$',
          'domain/instant-text\\.ts$',
          'domain/offer/hosted-offer\\.ts$',
          'domain/(errors|tx)\\.ts$',
          'rest/(body|problem|problem-table|rate-limit|serve)\\.ts$',
        ],
        packages: ['eta', 'koa'],
        // crypto names the style by its hash.
        builtins: ['crypto', 'http'],
      },
    ),
    ...room('src/seed', 'What makes data up knows the domain, and nothing that serves or sends.', {
      files: ['seed/', 'domain/'],
      packages: [],
      builtins: [],
    }),
    ...room('src/document', 'Invoices on paper: what they say comes from the domain.', {
      files: [
        'document/',
        'domain/commerce/(amount-text|invoice-document|line-item)\\.ts$',
        'domain/tx\\.ts$',
        'rest/(problem|rate-limit|serve)\\.ts$',
      ],
      packages: ['bidi-js', 'dejavu-fonts-ttf', 'fontkit', 'koa', 'linebreak', 'pdfkit'],
      // fs, path and url find and read the fonts; crypto names what a document says; a thread of its
      // own sets the type.
      builtins: ['crypto', 'fs', 'http', 'path', 'url', 'worker_threads'],
    }),
    ...room('src/http', 'The listeners pass requests on.', {
      files: [
        'http/',
        'document/',
        'page/',
        'rest/',
        'json/',
        'graphql/door\\.ts$',
        'domain/id\\.ts$',
        '(health|log|shown-ids)\\.ts$',
      ],
      packages: ['koa', 'prom-client'],
      // crypto names a version of the description by its hash.
      builtins: ['crypto', 'http', 'net', 'stream'],
    }),
    rule(
      'workers-stay-outside',
      'A worker reaches no HTTP or GraphQL code, not even through a friend.',
      { path: '^workers/' },
      { path: '^src/(rest|graphql|http|page|launcher|commands|demo|receiver)/', reachable: true },
    ),
    rule(
      'workers-load-no-web',
      'A worker loads no web framework.',
      { path: '^workers/' },
      {
        path: 'node_modules/(koa|@koa|@apollo|graphql|type-graphql|graphql-jit)/',
        reachable: true,
      },
    ),
    rule(
      'nobody-imports-the-workers',
      'The second process is reached through rows and wake-ups only.',
      { path: '^(src|scripts)/' },
      { path: '^workers/' },
    ),
    rule(
      'launcher-files',
      'What starts the service knows how it is started, not how it works.',
      { path: '^src/launcher/' },
      {
        path: '^(src|workers)/',
        pathNot:
          '^src/(launcher/|(base-url-advice|config|explain|held|log|loopback|migrate|runtime|stop-times|database/with-server-settings)\\.ts$|domain/account/)',
      },
    ),
    rule(
      'nobody-imports-the-launcher',
      'It stands above all.',
      { path: '^(src/(?!launcher)|workers)', pathNot: '^src/(commands|demo|receiver)/' },
      { path: '^src/launcher/' },
    ),
    rule(
      'nobody-imports-tests',
      'Tests are leaves.',
      { path: '^(src|workers|scripts|bench)/' },
      { path: '^test/', pathNot: '^test/support/' },
    ),
    rule(
      'production-imports-no-test-support',
      'What tests lean on is not shipped.',
      { path: '^(src|workers)/' },
      { path: '^(test|bench|scripts)/' },
    ),
    rule(
      'no-orphans',
      'Every file is used.',
      { orphan: true, path: '^(src|workers)/', pathNot: '(main|\\.d)\\.ts$' },
      {},
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
    },
  },
};
