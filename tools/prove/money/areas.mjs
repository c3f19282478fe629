// The TypeScript code that moves or counts money, in areas that each end within an hour.

/**
 * `files` are mutated, `tests` run against each mutant; globs from the root. Tests must import the mutated files by
 * relative paths. `project` is Jest's, `unit` by default. Code that runs when its module is loaded is mutated in `unit`
 * areas only, since each such mutant costs a run of all tests.
 */
export const MONEY_CODE = [
  {
    area: 'amounts',
    files: ['libs/amounts/src/*.ts'],
    tests: ['libs/amounts/src/*.spec.ts'],
  },
  {
    area: 'life-cycle',
    files: ['apps/payment/src/life-cycle/*.ts'],
    tests: ['apps/payment/src/life-cycle/*.spec.ts'],
  },
  {
    area: 'deposits',
    files: [
      'apps/payment/src/deposits/{deposits.service,payment-deposits,scanned-chain,transfers}.ts',
    ],
    tests: ['apps/payment/src/deposits/*.spec.ts'],
  },
  {
    area: 'execution',
    files: [
      'apps/payment/src/execution/{executed-leg,leg-input}.ts',
      'libs/transactions/src/chain-state.ts',
    ],
    tests: [
      'apps/payment/src/execution/{executed-leg,leg-input}.spec.ts',
      'libs/transactions/src/chain-state.spec.ts',
    ],
  },
  {
    area: 'fees',
    files: [
      'apps/quote/src/pricing/{fee-share,leg-gas}.ts',
      'apps/quote/src/routes/{amount,fee-breakdown}.ts',
      'apps/withdrawal/src/fees/retry-fee.ts',
      'libs/transactions/src/replacement-fees.ts',
      'libs/wallet-balances/src/{shared-fees,withdrawal-fee}.ts',
    ],
    tests: [
      'apps/quote/src/pricing/{fee-share,leg-gas}.spec.ts',
      'apps/quote/src/routes/{amount,fee-breakdown}.spec.ts',
      'apps/withdrawal/src/fees/*.spec.ts',
      'libs/transactions/src/replacement-fees.spec.ts',
      'libs/wallet-balances/src/*.spec.ts',
    ],
  },
  {
    area: 'plan',
    files: ['apps/quote/src/pricing/{payment-plan,route-steps}.ts'],
    tests: ['apps/quote/src/pricing/*.spec.ts'],
  },
  {
    area: 'exact-output',
    files: ['apps/quote/src/exact-output/{input-search,price-impact}.ts'],
    tests: ['apps/quote/src/exact-output/*.spec.ts'],
  },
  {
    area: 'claims',
    files: ['libs/persistence/src/{claim-statement,due-worker,lease}.ts'],
    tests: ['libs/persistence/src/{due-worker,lease}.int-spec.ts'],
    project: 'integration',
  },
  {
    area: 'fences',
    files: ['apps/webhook-dispatch/src/persistence/{claim,delivery-cleanup,results}.repository.ts'],
    tests: [
      'apps/webhook-dispatch/src/delivery/{delivery,isolation}.int-spec.ts',
      'apps/webhook-dispatch/src/persistence/{due-deliveries,lease-fence}.int-spec.ts',
    ],
    project: 'integration',
  },
];
