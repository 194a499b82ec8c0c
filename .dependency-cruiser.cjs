const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

/**
 * What one folder may import: files of ours, packages, and modules of Node; a list that is left out
 * allows all. Each list makes one rule, whose name says what was broken.
 * @param of the files that the rules hold for; those of the folder by default
 */
function room(folder, comment, { files, packages, builtins }, of = `^${folder}/`) {
  const from = { path: of };
  const name = folder.replace(/^(src|tools)\//, '').replaceAll('/', '-');
  return [
    files &&
      rule(`${name}-files`, comment, from, {
        path: '^(src|tools|workers|scripts|bench|test)/',
        ...(files.length > 0 && { pathNot: `^(src|tools)/(${files.join('|')})` }),
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

/** What all requests share: the files of `src/http` that stand in no folder of it. */
const sharedByRequests = 'http/[^/]+\\.ts$';

/** The walls of the house; docs/architecture.md draws them, test/contract/import-rules.test.ts leans on them. */
module.exports = {
  forbidden: [
    rule('no-cycles', 'Two files that need each other are one idea.', {}, { circular: true }),
    {
      ...rule(
        'no-domain-folder-cycles',
        'Two folders of the domain that need each other are one folder.',
        { path: '^src/domain(/|$)' },
        { circular: true },
      ),
      scope: 'folder',
    },
    rule(
      'nothing-unresolved',
      'What is imported is there.',
      {},
      { couldNotResolve: true, pathNot: '(^|/)dist/' },
    ),
    rule(
      'no-development-packages',
      'What runs in production is installed in production.',
      { path: '^(cli|clients|src|tools|workers)/' },
      { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'] },
    ),
    ...room('src/domain', 'The business knows TypeORM and a little of Node, nothing else.', {
      files: ['domain/'],
      packages: ['typeorm', 'ajv', 'canonicalize', 'currency-codes', 're2js'],
      builtins: ['crypto', 'net'],
    }),
    ...room('src/database', 'The database layer carries the domain.', {
      files: ['database/', 'domain/'],
      packages: ['typeorm', 'pg', 'reflect-metadata'],
      // The socket that shares lookups of names.
      builtins: ['dns', 'net'],
    }),
    ...room('src/queue', 'The queue carries no facts.', {
      // Its connections to PostgreSQL are made as all others are.
      files: [
        'queue/',
        'domain/(transaction/wakeup|values/url)\\.ts$',
        'database/(address|connection)\\.ts$',
      ],
      // pg is the pool that BullMQ on PostgreSQL is given.
      packages: ['bullmq', 'ioredis', 'pg'],
      // module requires one file of BullMQ.
      // A BullMQ worker takes an event emitter for its connection that listens.
      builtins: ['events', 'module', 'timers/promises'],
    }),
    rule(
      'redis-alone',
      'The settings and the rate limits reach Redis without the queue.',
      { path: '^src/queue/redis' },
      { pathNot: '^src/(queue/redis|domain/values/url)|node_modules/ioredis/' },
    ),
    rule(
      'tracing-alone',
      'Traces and their exporters are the same for every process.',
      { path: '^src/process/(tracing|open-telemetry)' },
      { pathNot: '^src/process/(tracing|open-telemetry)|node_modules/@opentelemetry/' },
    ),
    ...room('src/outbound', 'What talks to strangers knows neither tables nor secrets.', {
      files: [
        'outbound/',
        'domain/delivery/outcome\\.ts$',
        'domain/(endpoint/(egress-policy|endpoint-url)|values/(private-targets|url))\\.ts$',
      ],
      packages: [],
      // crypto and fs read the certificates to trust and to show. A tunnel emits events, as a socket does.
      builtins: ['crypto', 'diagnostics_channel', 'dns/promises', 'events', 'fs', 'net', 'tls'],
    }),
    ...room('src/mail', 'What sends mails knows no tables.', {
      files: ['mail/', 'domain/notice/mail\\.ts$'],
      packages: ['nodemailer'],
      builtins: ['crypto', 'fs/promises', 'path'],
    }),
    ...room('src/graphql', 'The schema is served by others, and knows nothing of HTTP.', {
      files: ['graphql/', 'domain/'],
      packages: [
        'dataloader',
        'graphql',
        'graphql-jit',
        'reflect-metadata',
        'type-graphql',
        'yaml',
        'zod',
      ],
      builtins: [],
    }),
    rule(
      'catalogue-reads-yaml',
      'YAML is loaded when someone brings a catalogue of event types, not at the start.',
      { path: '^src/graphql/', pathNot: '/catalogue-file\\.ts$' },
      { path: 'node_modules/(yaml|zod)/' },
    ),
    ...room(
      'src/http',
      'What all requests share: authentication, limits, bodies, problems, the route of operations.',
      {
        files: [
          sharedByRequests,
          'database/limits\\.ts$',
          'domain/(errors|lru|transaction/(tx|unavailable)|values/(json-number|text))\\.ts$',
          'domain/account/(credentials|token)\\.ts$',
          'domain/portal/portal-sessions\\.ts$',
          'domain/session/(operator-sessions|sessions)\\.ts$',
          'process/log\\.ts$',
          'queue/redis\\.ts$',
        ],
        packages: ['rate-limiter-flexible'],
        builtins: ['http', 'net', 'timers/promises'],
      },
      '^src/http/[^/]+$',
    ),
    ...room('src/http/server', 'The listeners pass requests on.', {
      files: [
        'http/(hosted|server)/',
        sharedByRequests,
        'http/(graphql|stream)/routes\\.ts$',
        'http/rest/contract\\.ts$',
        'domain/(errors|transaction/tx|values/id)\\.ts$',
        'domain/account/credentials\\.ts$',
        'domain/endpoint/key-pairs\\.ts$',
        'domain/event-type/(built-in|definitions)\\.ts$',
        'process/(health|internal-host|log|open-telemetry|telemetry|tracing)\\.ts$',
      ],
      packages: ['koa', 'prom-client'],
      // crypto names a version of the description by its hash; fs reads the description.
      builtins: ['crypto', 'fs/promises', 'http', 'net', 'stream'],
    }),
    ...room('src/http/rest', 'The facade speaks documents; what they do not carry is named here.', {
      files: [
        'http/rest/',
        sharedByRequests,
        'graphql/(context|execute)\\.ts$',
        // Who asks, what was refused, and the key that holds the transaction.
        'domain/(errors|transaction/(actor|tx|unavailable)|values/(canonical-json|email|text))\\.ts$',
        'domain/account/(credentials|permission|token)\\.ts$',
        'domain/idempotency/',
        // Finishes a replay whose caller has gone (H76.3).
        'domain/delivery/replay\\.ts$',
        // The domain's rules validate the formats of openapi.yaml and the fields of its bodies.
        'domain/endpoint/(endpoint-input|endpoint-url)\\.ts$',
        'domain/offer/(offer-input|offers)\\.ts$',
      ],
      packages: ['@koa/router', 'ajv', 'graphql', 'koa'],
      // fs reads the contract.
      builtins: ['fs', 'http', 'timers/promises'],
    }),
    rule(
      'rest-runs-no-schema',
      'GraphQL is a type to the facade; src/graphql/execute.ts runs it.',
      { path: '^src/http/rest/' },
      { path: 'node_modules/graphql/', dependencyTypesNot: ['type-only'] },
    ),
    ...room('src/http/graphql', 'GraphQL over HTTP: operations are executed by src/graphql.', {
      files: [
        'http/graphql/',
        sharedByRequests,
        'graphql/(access|context|execute|validation)\\.ts$',
        // Who asks, what was refused, and what publishes.
        'domain/(errors|transaction/(actor|tx|unavailable))\\.ts$',
        'domain/account/credentials\\.ts$',
        'domain/event/event-publisher\\.ts$',
        'process/tracing\\.ts$',
      ],
      packages: ['@apollo/server', 'graphql'],
      // The documents that the builds of the clients write, and their hashes.
      builtins: ['crypto', 'fs/promises', 'http', 'url'],
    }),
    ...room(
      'src/http/hosted',
      'The pages of buyers know checkouts and offers, and how requests are refused.',
      {
        files: [
          'http/hosted/',
          sharedByRequests,
          'domain/commerce/money\\.ts$',
          'domain/values/timestamp\\.ts$',
          'domain/(checkout/hosted-checkout|offer/hosted-offer|payment/record-payment)\\.ts$',
          'domain/(errors|transaction/tx|values/url)\\.ts$',
        ],
        packages: ['eta', 'koa'],
        // crypto names the style by its hash.
        builtins: ['crypto', 'http'],
      },
    ),
    ...room(
      'src/http/dashboard',
      'The dashboard signs members in and runs the documents that it was built with.',
      {
        files: [
          'http/dashboard/',
          'http/graphql/routes\\.ts$',
          sharedByRequests,
          'domain/(errors|transaction/(actor|tx))\\.ts$',
          'domain/account/credentials\\.ts$',
          'domain/portal/',
          'domain/session/',
        ],
        packages: ['koa', 'openid-client'],
        // crypto names the cookies of an instance; fs, path and url find the built pages.
        builtins: ['crypto', 'fs/promises', 'http', 'path', 'url'],
      },
    ),
    ...room('src/http/pdf', 'Invoices as PDF: what they say comes from the domain.', {
      files: [
        'http/pdf/',
        sharedByRequests,
        'domain/(commerce/(line-items|money)|payment/invoice-document)\\.ts$',
        'domain/(lru|transaction/tx)\\.ts$',
      ],
      packages: ['bidi-js', 'dejavu-fonts-ttf', 'fontkit', 'koa', 'linebreak', 'pdfkit'],
      // fs, path and url find and read the fonts; crypto names what a document says; a worker thread
      // sets the type.
      builtins: ['crypto', 'fs', 'http', 'path', 'url', 'worker_threads'],
    }),
    ...room(
      'src/http/stream',
      'The live stream shows what is committed, and changes only its slots.',
      {
        files: [
          'http/stream/',
          sharedByRequests,
          'domain/stream/',
          'domain/(errors|transaction/(sql|tx)|values/timestamp)\\.ts$',
          'domain/endpoint/endpoint\\.entity\\.ts$',
          'domain/account/(credentials|permission)\\.ts$',
          'domain/delivery/(deliveries|evidence-of-deliveries)\\.ts$',
        ],
        packages: ['koa'],
        builtins: ['http'],
      },
    ),
    ...room(
      'tools/seed',
      'What makes data up knows the domain, and nothing that serves or sends.',
      {
        files: ['seed/', 'domain/'],
        packages: [],
        builtins: [],
      },
    ),
    ...room('dashboard', 'The pages know the service by its documents only.', {
      files: [],
      packages: ['preact', 'preact-iso', '@preact/signals', 'vite'],
      builtins: [],
    }),
    rule(
      'no-imports-of-the-dashboard',
      'The service serves its files and knows no code of it.',
      { path: '^(src|tools|workers)/' },
      { path: '^dashboard/' },
    ),
    rule(
      'cli-files',
      'The command line is a package of its own: it knows the service by HTTP only.',
      { path: '^cli/' },
      { path: '^(src|tools|workers|scripts|bench|test)/' },
    ),
    rule(
      'cli-packages',
      'Each package of the command line is downloaded by its users.',
      { path: '^cli/' },
      { path: 'node_modules/', pathNot: 'node_modules/commander/' },
    ),
    ...room(
      'clients',
      'A client is a package without dependencies. It knows the service by HTTP only.',
      {
        files: [],
        packages: [],
        builtins: ['crypto', 'timers/promises'],
      },
    ),
    rule(
      'no-imports-of-the-clients',
      'The service needs no client of itself.',
      { path: '^(src|tools|workers|scripts|bench)/' },
      { path: '^clients/' },
    ),
    rule(
      'no-imports-of-the-cli',
      'The service does not need the command line. Commands of operators complete words and escape data as it does.',
      { path: '^(src|tools|workers|clients|scripts|bench)/' },
      { path: '^cli/', pathNot: '^cli/(completion|output/text)\\.ts$' },
    ),
    rule(
      'workers-stay-outside',
      'A worker reaches no HTTP or GraphQL code, not even through a friend.',
      { path: '^workers/' },
      { path: '^(src/(graphql|http)|tools)/', reachable: true },
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
      'no-imports-of-the-workers',
      'The second process is reached through rows and wake-ups only.',
      { path: '^(src|tools|scripts)/' },
      { path: '^workers/' },
    ),
    rule(
      'launcher-files',
      'The launcher knows how the service is started, not how it works.',
      { path: '^tools/launcher/' },
      {
        path: '^(src|tools|workers)/',
        pathNot:
          '^(tools/launcher/|src/(config/|process/(explain-error|lifecycle|log|migrate-all|open-database|start-gate)\\.ts$|database/(address|connection)\\.ts$|domain/(transaction/(actor|unavailable)|values/sealer)\\.ts$|domain/account/|domain/session/sign-in-links\\.ts$))',
      },
    ),
    rule(
      'no-imports-of-the-tools',
      'People start tools; the processes that serve do not need them.',
      { path: '^(src|workers)/' },
      { path: '^tools/' },
    ),
    rule(
      'no-imports-of-tests',
      'Tests are leaves.',
      { path: '^(src|tools|workers|scripts|bench)/' },
      { path: '^test/', pathNot: '^test/support/' },
    ),
    rule(
      'production-imports-no-test-support',
      'What tests lean on is not shipped.',
      { path: '^(src|tools|workers)/' },
      { path: '^(test|bench|scripts)/' },
    ),
    rule(
      'no-orphans',
      'Every file is used.',
      { orphan: true, path: '^(cli|clients|src|tools|workers)/', pathNot: '(main|\\.d)\\.ts$' },
      {},
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Programs that the dashboard shows as text, and those that packages of clients bring.
    exclude: { path: '^(dashboard/src/pages/event-types/receivers|clients/typescript/examples)/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
    },
  },
};
