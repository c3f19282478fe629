// Who may import whom. eslint.config.mjs applies it; tools/test/boundaries.mjs proves that it bites.

// A file in an app whose name carries none of these roles is a rule of the domain: plain TypeScript.
const ROLES = [
  'adapter',
  'client',
  'command',
  'config',
  'consumer',
  'controller',
  'dto',
  'entity',
  'filter',
  'guard',
  'migration',
  'module',
  'repository',
  'scanner',
  'server',
  'service',
  'worker',
];
/** Roles whose class carries the file's name: `deposit.repository.ts` exports `DepositRepository`. */
export const CLASS_ROLES = ROLES.filter(
  (role) => !['config', 'dto', 'entity', 'migration'].includes(role),
);
const WITH_SHAPES = ['dto', 'entity'];
const ACTING = ROLES.filter((role) => !WITH_SHAPES.includes(role));

/** Files that test files share. */
export const TEST_HELPERS = [
  '**/*.fixture.ts',
  '{apps,libs}/*/src/testing/**',
  'libs/{testing,messaging-testing}/**',
];

export const TESTS = [
  '**/*.spec.ts',
  '**/*.int-spec.ts',
  '**/*.e2e-spec.ts',
  ...TEST_HELPERS,
  'tests/**',
];

/** Rules of the apps, and the whole of the domain's libs. */
export const PURE = {
  files: ['apps/*/src/**/*.ts', 'libs/{amounts,contracts,solidity}/src/**/*.ts'],
  ignores: [
    ...ROLES.map((role) => `apps/*/src/**/*.${role}.ts`),
    ...TESTS,
    'apps/*/src/{index,main,migrate}.ts',
    // Lists of classes for TypeORM.
    'apps/*/src/persistence/entities.ts',
    'apps/*/src/persistence/migrations/**',
    'apps/{standalone,distributed}/**',
  ],
};

const PURE_PACKAGES = [
  '\\.{1,2}/',
  '@bascule/',
  '(viem|uuid|cockatiel|escape-html|lru-cache)$',
  'node:(assert|buffer|crypto|url|util)$',
];
const PURE_LIBS = 'amounts|contracts|solidity';

/** For `@typescript-eslint/no-restricted-imports`, which tells types from values. */
export const PURE_IMPORTS = [
  {
    regex: `^(?!${PURE_PACKAGES.join('|')})`,
    message: 'A rule imports neither frameworks nor I/O; give the file its role as a suffix.',
  },
  {
    regex: `^@bascule/(?!(${PURE_LIBS}|chain|operator-commands|party-api|process|providers)$)`,
    allowTypeImports: true,
    message: `A rule runs workspace code of ${PURE_LIBS} only.`,
  },
  {
    regex: '^@bascule/(chain|party-api|process|providers)$',
    allowImportNames: [
      'PartyApiError',
      'ProviderError',
      'TimeoutError',
      'ZERO_ADDRESS',
      'ordinaryAddressProblem',
    ],
    allowTypeImports: true,
    message: 'A rule takes facts and errors of this library, not its clients.',
  },
  {
    regex: '^@bascule/operator-commands$',
    allowImportNames: [
      'OperatorError',
      'UsageError',
      'oneOf',
      'parseArguments',
      'requiredFlag',
      'textFlags',
      'uuidArgument',
    ],
    allowTypeImports: true,
    message: 'A parser of arguments neither opens a database nor prints.',
  },
  {
    regex: '^viem$',
    importNamePattern: '^(create\\w*(Client|Transport)|custom|fallback|http|ipc|webSocket)$',
    message: 'A rule does not talk to a chain.',
  },
  {
    regex: `^\\..*\\.(${ACTING.join('|')})\\.js$`,
    message: 'A rule does not know the files with I/O around it.',
  },
  {
    regex: `^\\..*\\.(${WITH_SHAPES.join('|')})\\.js$`,
    allowTypeImports: true,
    message: 'A rule takes only the types of DTOs and entities.',
  },
  {
    regex: '^\\.(.*/)?(index|main|migrate|entities|migrations/.*)\\.js$',
    message: 'A rule does not know the service that it is part of.',
  },
];

/** The life cycle of payments: rules over its own types, amounts and contracts, and nothing else. */
export const LIFE_CYCLE = {
  files: ['apps/payment/src/life-cycle/**/*.ts'],
  ignores: TESTS,
};
export const LIFE_CYCLE_IMPORTS = [
  {
    regex: '^(?!\\./[\\w-]+\\.js$|@bascule/(amounts|contracts)$)',
    message: 'The life cycle imports only itself, amounts and contracts.',
  },
];

export const PURE_SYNTAX = [
  { selector: 'ImportExpression', message: 'A rule imports statically, where it can be checked.' },
];
export const PURE_GLOBALS = ['EventSource', 'WebSocket', 'fetch', 'globalThis', 'process'].map(
  (name) => ({ name, message: 'A rule does no I/O.' }),
);

/** For `no-restricted-imports` in what is not a test. */
const TEST_SUPPORT = [
  {
    regex:
      '^@bascule/(testing|messaging-testing|(process|providers|signers)/testing|messaging/internals)$',
    message: 'Test support is for tests.',
  },
  {
    regex: '^\\..*(/testing/|\\.(fixture|(int-|e2e-)?spec)\\.js$)',
    message: 'Test support is for tests.',
  },
];
const LOCAL_STACK = {
  regex: '^@bascule/local-stack$',
  message: 'Only tests and the composition start local servers.',
};
const PROVIDER_ADAPTERS = {
  regex: '^@bascule/providers$',
  message: 'A stand-in shares no code with the adapter that its tests hold against it.',
};

/** Each kind of production code with what it may not import. */
export const PRODUCTION = [
  {
    files: ['{apps,libs}/*/src/**/*.ts'],
    ignores: [
      ...TESTS,
      'apps/{standalone,distributed,sandbox-provider}/**',
      'libs/{composition,local-stack}/**',
    ],
    patterns: [...TEST_SUPPORT, LOCAL_STACK],
  },
  {
    files: [
      'apps/{standalone,distributed}/src/**/*.ts',
      'libs/{composition,local-stack}/src/**/*.ts',
    ],
    ignores: TESTS,
    patterns: TEST_SUPPORT,
  },
  {
    files: ['apps/sandbox-provider/src/**/*.ts'],
    ignores: TESTS,
    patterns: [...TEST_SUPPORT, LOCAL_STACK, PROVIDER_ADAPTERS],
  },
];

/** The libs beside the shared ones that a scope may import: they move money or talk to others. */
const SCOPES = {
  shared: [],
  transactions: [],
  providers: [],
  venues: [],
  'party-api': [],
  attester: ['party-api', 'venues'],
  catalogue: [],
  gateway: [],
  payment: ['providers', 'transactions', 'venues'],
  quote: ['providers', 'venues'],
  'sandbox-provider': ['party-api', 'providers'],
  solver: ['party-api', 'transactions', 'venues'],
  'webhook-dispatch': [],
  withdrawal: ['transactions', 'venues'],
};

const LAYERS = {
  domain: ['domain'],
  infrastructure: ['domain', 'infrastructure', 'testing'],
  adapter: ['domain', 'infrastructure', 'adapter', 'testing'],
  testing: ['domain', 'infrastructure', 'testing'],
};

/** By the tags in each package.json; `type:composition` holds the apps together and may import all. */
export const DEPENDENCIES = [
  { sourceTag: 'type:composition', onlyDependOnLibsWithTags: ['*'] },
  { sourceTag: 'type:app', onlyDependOnLibsWithTags: ['type:lib'] },
  { sourceTag: 'type:lib', onlyDependOnLibsWithTags: ['type:lib'] },
  ...Object.entries(LAYERS).map(([layer, below]) => ({
    sourceTag: `layer:${layer}`,
    onlyDependOnLibsWithTags: below.map((name) => `layer:${name}`),
  })),
  ...Object.entries(SCOPES).map(([scope, others]) => ({
    sourceTag: `scope:${scope}`,
    onlyDependOnLibsWithTags: ['scope:shared', ...others.map((name) => `scope:${name}`)],
  })),
];

/** The order of the folders of each app and larger lib: a folder imports only those before it. */
export const FOLDER_ORDER = {
  'apps/attester': ['config', 'limits', 'attestations'],
  'apps/catalogue': [
    'upstream',
    'assets',
    'prices',
    'config',
    'persistence',
    'listing',
    'sources',
    'observation',
    'api',
    'operator',
  ],
  'apps/distributed': [],
  'apps/gateway': [
    'routing',
    'config',
    'callers',
    'persistence',
    'limits',
    'description',
    'access',
    'forwarding',
    'operator',
  ],
  'apps/payment': [
    'life-cycle',
    'config',
    'view',
    'timeline',
    'persistence',
    'projections',
    'costs',
    'screening',
    'reading',
    'pauses',
    'ratings',
    'execution',
    'withdrawals',
    'deposits',
    'deadlines',
    'checkout',
    'owners',
    'parked-funds',
    'confirm',
  ],
  'apps/quote': [
    'routes',
    'places',
    'config',
    'metrics',
    'catalogue',
    'organisations',
    'payments',
    'sources',
    'routing',
    'pricing',
    'exact-output',
    'requests',
    'quotes',
    'discovery',
    'persistence',
  ],
  'apps/sandbox-provider': [
    'offers',
    'wire',
    'providers',
    'config',
    'persistence',
    'pricing',
    'orders',
    'api',
    'callbacks',
    'checkout',
    'delivery',
  ],
  'apps/solver': [
    'settings',
    'life-cycle',
    'assets',
    'config',
    'metrics',
    'persistence',
    'behaviour',
    'orders',
    'costs',
    'inventory',
    'api',
    'quotes',
    'control',
    'fills',
    'claims',
    'processing',
  ],
  'apps/standalone': [],
  'apps/webhook-dispatch': [
    'rules',
    'config',
    'secrets',
    'destinations',
    'persistence',
    'webhooks',
    'delivery',
    'enqueue',
    'maintenance',
    'operations',
  ],
  'apps/withdrawal': [
    'settings',
    'config',
    'life-cycle',
    'metrics',
    'persistence',
    'fees',
    'requests',
    'payments',
    'screening',
    'accounts',
    'balances',
    'settlement',
    'status',
    'withdraw',
    'confirm',
    'projections',
  ],
  'libs/composition': ['settings', 'state', 'terminal', 'servers', 'services', 'processes'],
  'libs/messaging': [
    'envelope',
    'migrations',
    'transport',
    'topics',
    'errors',
    'inbox',
    'outbox',
    'parked',
    'relay',
    'records',
    'projections',
    'consuming',
  ],
  'libs/service-host': [
    'errors',
    'clients',
    'caching',
    'quotas',
    'projections',
    'server',
    'service',
  ],
};
