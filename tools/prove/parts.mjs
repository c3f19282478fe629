// The parts of `npm run prove`. Nothing is imported before a part runs: the names are read before the install.
import { CONTRACTS, GROUPS } from './mutation/suites.mjs';
import { MONEY_CODE } from './money/areas.mjs';

const STATIC = {
  name: 'static',
  proves: 'that every finding of slither is argued',
  run: async () => (await import('./slither.mjs')).analyse(),
};

const COVERAGE = {
  name: 'contract-coverage',
  proves: 'that the tests run every line, branch and function of the contracts',
  run: async () => (await import('../test/steps.mjs')).contractCoverage.run(),
};

const AUDIT = {
  name: 'audit',
  proves: 'that no advisory is known about what ships, nor a high one about the tools',
  run: async () => (await import('../dependencies/audit.mjs')).audit(),
};

const INVARIANTS = {
  name: 'invariants',
  proves: 'that the invariant of the contracts holds for 1,000,000 calls with a new seed',
  run: async () => (await import('./invariants.mjs')).proveInvariants(),
};

const mutation = (name, contracts) => ({
  name: `mutation ${name}`,
  proves: `that the tests notice every small change of ${contracts.join(', ')}, or it is argued`,
  run: async () => (await import('./mutation.mjs')).proveByMutation(contracts),
});

const money = ({ area, files }) => ({
  name: `money ${area}`,
  proves: `that the tests notice at least 90 % of the small changes of ${files.join(', ')}`,
  run: async () => (await import('./money.mjs')).proveMoneyCode(area),
});

const RANDOM_MARKETS = 'apps/quote/src/quotes/random-markets.spec.ts';

const QUOTES = {
  name: 'quotes',
  proves: 'that quotes conserve value and fix outputs in 100,000 random markets',
  run: async () => (await import('./long-form.mjs')).runLongUnit('quotes', RANDOM_MARKETS),
};

const HISTORY = {
  name: 'history',
  proves: 'that a page of the history of a million payments costs the same at every depth',
  run: async () =>
    (await import('./long-form.mjs')).runLongIntegration(
      'history',
      'apps/payment/src/persistence/history-plans.int-spec.ts',
    ),
};

const RANDOM_LIFE = 'apps/payment/src/life-cycle/random-life.spec.ts';

const LIFE_CYCLE = {
  name: 'life-cycle',
  proves: 'that payments end as the life-cycle table says after 100,000 random steps',
  run: async () => (await import('./long-form.mjs')).runLongUnit('life-cycle', RANDOM_LIFE),
};

/** Random lives on real chains, with a new seed each time. */
const chainLives = (name, file, proves) => ({
  name,
  proves,
  run: async () => (await import('./long-form.mjs')).runLongIntegration(name, file),
});

const CHAIN_LIVES = [
  chainLives(
    'life-cycle chain',
    'apps/payment/src/life-cycle/random-life.int-spec.ts',
    'that payments on a real chain end as the table says after 800 new random steps',
  ),
  chainLives(
    'life-cycle crossing',
    'apps/payment/src/life-cycle/random-crossing.int-spec.ts',
    'that 40 new random crossings pay once, or leave their money to their owners',
  ),
];

const SEEDS = {
  name: 'seeds',
  proves: 'that the random unit tests hold for 20 new seeds',
  run: async () =>
    (await import('./long-form.mjs')).runWithNewSeeds('seeds', 20, [RANDOM_MARKETS, RANDOM_LIFE]),
};

const API_FUZZ = {
  name: 'api-fuzz',
  proves: 'that the API answers random requests as its OpenAPI document says, and never with a 500',
  run: async () =>
    (await import('./long-form.mjs')).onStacks(
      'api-fuzz',
      (await import('./api-fuzz.mjs')).fuzzApi,
    ),
};

const KMS = {
  name: 'kms',
  proves: 'that keys of AWS KMS sign as an emulator of it says, which shares no code with ours',
  run: async () => (await import('./kms.mjs')).proveKms(),
};

/** An end-to-end file in its long form. */
const long = (name, file, proves) => ({
  name,
  proves,
  run: async () => (await import('./long-form.mjs')).runLongForm(name, file),
});

/** 500 kills take longer than an hour, so they are two parts. */
const kills = (half) => ({
  name: `kills ${half}`,
  proves: 'that nothing is lost or doubled by 250 kills while payments run',
  run: async () => (await import('./long-form.mjs')).runChaos(`kills ${half}`, 250),
});

const LONG_FORMS = [
  long(
    'chaos',
    'tests/e2e/chaos.e2e-spec.ts',
    'that nothing is lost or doubled by 50 kills while payments run',
  ),
  kills('first'),
  kills('second'),
  long(
    'fault-points',
    'tests/e2e/kill.e2e-spec.ts',
    'that a payment ends well after a kill at each of 20 fault points',
  ),
  long(
    'distributed',
    'tests/e2e/distributed.e2e-spec.ts',
    'that all goes on after Kafka, Redis or Postgres was away, a database for a minute',
  ),
];

export const PARTS = [
  STATIC,
  AUDIT,
  COVERAGE,
  INVARIANTS,
  QUOTES,
  HISTORY,
  LIFE_CYCLE,
  ...CHAIN_LIVES,
  SEEDS,
  API_FUZZ,
  KMS,
  ...Object.entries(GROUPS).map(([name, contracts]) => mutation(name, contracts)),
  ...MONEY_CODE.map(money),
  ...LONG_FORMS,
];

/**
 * The parts that arguments name: one by its name, all that begin with a word (`mutation`), or the mutation of contracts
 * (`mutation Executor Converter`).
 *
 * @throws Error when no part has the name
 */
export function selectParts(args) {
  if (args.length === 0) return PARTS;
  const name = args.join(' ');
  const found = PARTS.filter((part) => part.name === name || part.name.split(' ')[0] === name);
  if (found.length > 0) return found;
  const [first, ...contracts] = args;
  if (first === 'mutation' && contracts.every((contract) => CONTRACTS.includes(contract))) {
    return [mutation(contracts.join(' '), contracts)];
  }
  const names = PARTS.map((part) => part.name).join(', ');
  throw new Error(`no part ${name}; the parts are ${names}`);
}
