const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

/** The walls of the house; docs/architecture.md draws them. */
module.exports = {
  forbidden: [
    rule('no-cycles', 'Two files that need each other are one idea.', {}, { circular: true }),
    rule(
      'workers-stay-outside',
      'A worker reaches no HTTP or GraphQL code, not even through a friend.',
      { path: '^workers' },
      { path: '^src/(rest|graphql|http|launcher)/', reachable: true },
    ),
    rule(
      'workers-load-no-web',
      'A worker loads no web framework.',
      { path: '^workers' },
      {
        path: 'node_modules/(koa|@koa|@apollo|graphql|type-graphql|graphql-jit)/',
        reachable: true,
      },
    ),
    rule(
      'domain-knows-no-edge',
      'The business knows TypeORM and Node, nothing else of ours.',
      { path: '^src/domain' },
      { path: '^src/', pathNot: '^src/(domain|json)/' },
    ),
    rule(
      'domain-libraries',
      'The business depends on few libraries.',
      { path: '^src/domain' },
      { path: 'node_modules/', pathNot: 'node_modules/(typeorm|canonicalize|@types)/' },
    ),
    rule(
      'database-knows-domain-only',
      'The database layer carries the domain.',
      { path: '^src/database' },
      { path: '^src/', pathNot: '^src/(domain|database)/' },
    ),
    rule(
      'queue-knows-wakeups-only',
      'The queue carries no facts.',
      { path: '^src/queue' },
      { path: '^src/', pathNot: '^src/(queue/|domain/wakeup|log|config)' },
    ),
    rule(
      'outbound-gets-finished-bytes',
      'What talks to strangers knows neither tables nor secrets.',
      { path: '^src/outbound' },
      {
        path: '^src/',
        pathNot:
          '^src/(outbound/|domain/delivery/outcome|domain/endpoint/(dial-rule|target|private-targets))',
      },
    ),
    rule(
      'graphql-knows-no-http',
      'The schema is served by others.',
      { path: '^src/graphql' },
      { path: '^src/(rest|http|queue|launcher)/|node_modules/(@koa|bullmq|ioredis)/' },
    ),
    rule(
      'rest-knows-no-resolvers',
      'The facade speaks documents.',
      { path: '^src/rest' },
      {
        path: '^src/(graphql/.*\\.resolver|database|queue|launcher|http)|node_modules/(typeorm|pg|bullmq)/',
      },
    ),
    rule(
      'nobody-imports-the-launcher',
      'It stands above all.',
      { path: '^(src/(?!launcher)|workers)', pathNot: '^src/(commands|receiver)/' },
      { path: '^src/launcher' },
    ),
    rule(
      'nobody-imports-tests',
      'Tests are leaves.',
      { path: '^(src|workers|scripts|bench)' },
      { path: '^test/', pathNot: '^test/support/' },
    ),
    rule(
      'no-orphans',
      'Every file is used.',
      { orphan: true, path: '^(src|workers)', pathNot: '(main|\\.d)\\.ts$' },
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
