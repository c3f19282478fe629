import { type AmountIssue, type ErrorBody, type QuotesResponse } from '@bascule/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isAboutAmount } from '../routes/amount-issue.js';
import {
  FOREIGN_NATIVE,
  FOREIGN_USDC,
  FOREIGN_WETH,
  NATIVE,
  USDC,
  USDT,
  WETH,
} from '../testing/catalogue-feed.fixture.js';
import { fixedInput, startQuoteStand, type QuoteStand } from '../testing/quote-stand.fixture.js';
import { usdcOnramp } from '../testing/stub-onramps.fixture.js';
import {
  startStubSolver,
  type SolverBehaviour,
  type StubSolver,
} from '../testing/stub-solver.fixture.js';

const RAMPS = {
  here: usdcOnramp(USDC),
  there: usdcOnramp(FOREIGN_USDC),
  dear: usdcOnramp(USDC, { feePercent: 30n }),
};

/** Amounts around the limits of onramps and bridges, and of what fees and pools allow. */
const ROWS: [asset: string, amounts: string[], outputs: string[]][] = [
  [USDC, ['0.000001', '0.7', '1.7', '499.5', '600.7', '100001'], [FOREIGN_USDC, FOREIGN_WETH]],
  [USDT, ['3.000001', '601', '120000'], [FOREIGN_USDC]],
  [WETH, ['0.00000001', '0.00033', '0.21', '4', '288'], [FOREIGN_USDC, FOREIGN_WETH]],
  [NATIVE, ['0.000777', '1.1', '40'], [FOREIGN_NATIVE]],
  [FOREIGN_USDC, ['0.3', '700.1'], [WETH]],
  [USDC, ['0.000003', '0.1'], [USDC, WETH]],
  ['usd', ['1', '20.01', '123.45', '640', '5000.01'], [USDC, FOREIGN_USDC, FOREIGN_WETH]],
];
const CASES = ROWS.flatMap(([asset, amounts, outputs]) =>
  amounts.flatMap((amount) => outputs.map((output) => [asset, amount, output] as const)),
);

describe('the limits that refusals name', () => {
  let stand: QuoteStand;
  let solver: StubSolver;

  beforeAll(async () => {
    solver = await startStubSolver();
    stand = await startQuoteStand(RAMPS, {}, solver);
  });
  afterAll(async () => {
    await stand.stop();
    await solver.stop();
  });

  /** Number of quotes, and the amount issues of an answer or a refusal. */
  async function answerTo(asset: string, amount: string, output: string, rest: object = {}) {
    const answer = await stand.ask(fixedInput(asset, amount, output, rest));
    const { errors, failures = [], quotes = [] }: Partial<QuotesResponse & ErrorBody> = answer.body;
    const issues = errors ?? failures.flatMap((failure) => failure.issues);
    return { quotes: quotes.length, issues: issues.filter(isAmountIssue) };
  }
  const isAmountIssue = (issue: ErrorBody['errors'][number]): issue is AmountIssue =>
    'kind' in issue && isAboutAmount(issue);

  /** Asks again with each limit; returns how many a bridge or chain, and how many an onramp, has named. */
  async function askAgain(asset: string, amount: string, output: string) {
    const named = { ofRoutes: 0, ofRamps: 0 };
    const { issues } = await answerTo(asset, amount, output, { show_all_issues: true });
    for (const { limits, source, reason } of issues) {
      for (const limit of [limits.min, limits.max].filter((each) => each !== undefined)) {
        const { quotes, issues: others } = await answerTo(asset, limit, output);
        const isRamp = source in RAMPS;
        named[isRamp ? 'ofRamps' : 'ofRoutes'] += 1;
        const where = `${source} names ${limit} for ${amount} ${asset} to ${output}`;
        // An onramp states its own limits, whatever else a route needs.
        const isRefused = isRamp
          ? others.some((other) => other.source === source && other.reason === reason)
          : quotes === 0;
        expect([where, isRefused]).toEqual([where, false]);
      }
    }
    return named;
  }

  it.each<SolverBehaviour>(['honest', 'picky'])(
    'work, beside a solver that is %s',
    async (behaviour) => {
      solver.behaviour = behaviour;
      const named = { ofRoutes: 0, ofRamps: 0 };
      for (const each of CASES) {
        const { ofRoutes, ofRamps } = await askAgain(...each);
        named.ofRoutes += ofRoutes;
        named.ofRamps += ofRamps;
      }
      expect(named.ofRoutes).toBeGreaterThan(10);
      expect(named.ofRamps).toBeGreaterThan(10);
    },
    300_000,
  );
});
