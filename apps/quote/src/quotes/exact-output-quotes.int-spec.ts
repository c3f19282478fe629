import { formatAmount, MAX_UINT256, parseAmount } from '@bascule/amounts';
import { type Issue, type Quote } from '@bascule/contracts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  FOREIGN_NATIVE,
  FOREIGN_USDC,
  FOREIGN_WETH,
  NATIVE,
  USDC,
  USDT,
  WETH,
} from '../testing/catalogue-feed.fixture.js';
import {
  fixedInput,
  fixedOutput,
  startQuoteStand,
  type QuoteStand,
} from '../testing/quote-stand.fixture.js';
import { usdcOnramp } from '../testing/stub-onramps.fixture.js';
import { startStubSolver, type StubSolver } from '../testing/stub-solver.fixture.js';

const distance = (one: bigint, other: bigint): bigint => (one > other ? one - other : other - one);

/** 256 bits: a fee beside it is too much. */
const MAX_USDC = formatAmount(MAX_UINT256, 6);
const DECIMALS: Record<string, number> = { usd: 2, [USDC]: 6, [USDT]: 6, [FOREIGN_USDC]: 6 };
const unitsOf = (asset: string, amount: string): bigint =>
  parseAmount(amount, DECIMALS[asset] ?? 18);

describe('quotes of a fixed output', () => {
  let stand: QuoteStand;
  let solver: StubSolver;

  beforeAll(async () => {
    solver = await startStubSolver();
    const onramps = { cheap: usdcOnramp(USDC), dear: usdcOnramp(USDC, { feePercent: 6n }) };
    stand = await startQuoteStand(onramps, {}, solver);
  });
  afterEach(() => {
    solver.behaviour = 'honest';
  });
  afterAll(async () => {
    await stand.stop();
    await solver.stop();
  });

  /** Quote with the lowest input, with its plan and the input that its first step consumes. */
  async function best(body: object) {
    const { status, body: answer } = await stand.ask(body);
    expect(answer.failures ?? answer).toEqual([]);
    expect(status).toBe(200);
    const [cheapest] = (await stand.open(answer.state_token)).quotes
      .map(({ quote, plan }) => ({ quote, plan, input: inputOf(quote) }))
      .sort((a, b) => Number(a.input.units - b.input.units));
    if (!cheapest) throw new Error('expected a quote');
    return { answer, ...cheapest };
  }
  const inputOf = ({ route }: Quote): { asset: string; units: bigint; amount: string } => {
    const [given] = route[0]?.net_effect.consume ?? [];
    if (!given) throw new Error('expected an input');
    const { asset } = given.resource;
    return { asset, amount: given.amount, units: unitsOf(asset, given.amount) };
  };
  const outputOf = ({ output_amount: { asset, amount } }: Quote): bigint => unitsOf(asset, amount);
  const least = ({ plan }: Awaited<ReturnType<typeof best>>): bigint =>
    BigInt(plan.legs.at(-1)?.min_output ?? 0);

  it.each([
    ['a conversion', USDC, WETH, '0.05', 1n],
    ['native currency in', NATIVE, USDC, '250', 1n],
    ['native currency out', USDT, NATIVE, '0.1', 1n],
    ['wrapping', NATIVE, WETH, '0.1', 1n],
    ['a plain transfer', USDC, USDC, '12.345678', 0n],
    ['a crossing', USDC, FOREIGN_USDC, '25', 1n],
    ['a crossing that converts', USDC, FOREIGN_WETH, '0.1', 2n],
    ['a crossing that converts twice', WETH, FOREIGN_NATIVE, '0.2', 3n],
    ['an onramp', 'usd', USDC, '150', 1n],
    ['an onramp that converts', 'usd', WETH, '0.1', 2n],
    ['an onramp that crosses and converts', 'usd', FOREIGN_WETH, '0.1', 3n],
  ])('declares exactly the output, for the least input: %s', async (_, from, to, amount, steps) => {
    const quoted = await best(fixedOutput(to, amount, from));
    const fixed = unitsOf(to, amount);
    expect(quoted.input.asset).toBe(from);
    expect(quoted.quote.output_amount.asset).toBe(to);
    expect(least(quoted)).toBe(fixed);
    const estimate = outputOf(quoted.quote);
    expect(estimate * (10_000n - 50n * steps)).toBeGreaterThan((fixed - 1n) * 10_000n);
    if (steps === 0n) expect(estimate).toBe(fixed);

    const again = await best(fixedInput(from, quoted.input.amount, to));
    const { funding, legs } = quoted.plan;
    // Without a search, the gas is that of the exact output, which differs a little from that of the input.
    const isAtOnce = funding.kind === 'token' && legs.length === 1;
    const inexact = isAtOnce ? estimate / 10_000n : 0n;
    expect(distance(outputOf(again.quote), estimate)).toBeLessThanOrEqual(inexact);
    expect(least(again)).toBeGreaterThanOrEqual(fixed - inexact);

    const { units } = quoted.input;
    const decimals = DECIMALS[from] ?? 18;
    const lower = units - (units + 999n) / 1_000n;
    const text = lower.toString().padStart(decimals + 1, '0');
    const smaller = `${text.slice(0, -decimals)}.${text.slice(-decimals)}`;
    expect(least(await best(fixedInput(from, smaller, to)))).toBeLessThan(fixed);
  });

  it('requires a deposit of the input, and pays fees from it', async () => {
    const { plan, input, quote } = await best(fixedOutput(WETH, '0.05', USDC));
    expect(plan.deposit).toEqual({ token: USDC, required_amount: input.units.toString() });
    expect(plan.legs).toHaveLength(1);
    expect(plan.legs[0]).toMatchObject({
      input_amount: input.units.toString(),
      max_input: input.units.toString(),
      output_amount: outputOf(quote).toString(),
    });
  });

  it('is on the input’s side: an onramp delivers enough, less its allowance', async () => {
    const { plan, input } = await best(fixedOutput(USDC, '150', 'usd'));
    if (plan.funding.kind !== 'onramp') throw new Error('expected an onramp');
    expect(plan.funding).toMatchObject({ provider: 'cheap', fiat: 'usd' });
    expect(unitsOf('usd', plan.funding.fiat_amount)).toBe(input.units);
    const delivery = BigInt(plan.funding.delivery_amount);
    expect(BigInt(plan.deposit.required_amount)).toBe(delivery - (delivery * 50n) / 10_000n);
  });

  it('sorts quotes by output, highest first, and names the limits of their providers', async () => {
    const { answer } = await best(fixedOutput(USDC, '150', 'usd'));
    const outputs = answer.quotes.map(({ output_amount }) => unitsOf(USDC, output_amount.amount));
    expect(outputs).toHaveLength(2);
    expect(outputs[0]).toBeGreaterThanOrEqual(outputs[1] ?? 0n);
    expect(answer.limits).toEqual([
      { source: 'cheap', min: '20', max: '5000' },
      { source: 'dear', min: '20', max: '5000' },
    ]);
  });

  it('requests each provider at most four times', async () => {
    const before = stand.quoteRequests('dear');
    await best(fixedOutput(FOREIGN_WETH, '0.1', 'usd'));
    const requests = stand.quoteRequests('dear') - before;
    expect(requests).toBeGreaterThan(0);
    expect(requests).toBeLessThanOrEqual(4);
  });

  it('widens the allowance on the input’s side with allow_unsafe_slippage', async () => {
    const usual = await best(fixedOutput(WETH, '0.05', USDC));
    const wide = await best(fixedOutput(WETH, '0.05', USDC, { allow_unsafe_slippage: true }));
    expect(wide.input.units).toBeGreaterThan(usual.input.units);
    expect(least(wide)).toBe(least(usual));
  });

  it('echoes the request and seals it', async () => {
    const body = fixedOutput(
      WETH.toUpperCase().replace('ALPHANET:0X', 'alphanet:0x'),
      '0.05',
      USDC,
    );
    const { answer } = await best(body);
    expect(answer.quote_request).toEqual(fixedOutput(WETH, '0.05', USDC));
    const { quote_request } = await stand.open(answer.state_token);
    expect(quote_request).toEqual({ ...fixedOutput(WETH, '0.05', USDC), features: [] });
    expect(new Set(Object.keys(answer.current_prices))).toEqual(new Set([USDC, WETH, 'usd']));
  });

  const onlyIssue = async (body: object): Promise<Issue & { message: string }> => {
    const { status, body: answer } = await stand.refused(body);
    expect(status).toBe(400);
    const [issue, ...others] = answer.errors;
    if (!issue || !('kind' in issue) || !('message' in issue)) {
      throw new Error(JSON.stringify(answer));
    }
    expect(others.every((other) => 'kind' in other)).toBe(true);
    return issue;
  };

  it('reports limits and amounts in the input asset', async () => {
    const tooHigh = await onlyIssue(fixedOutput(USDC, '6000', 'usd'));
    expect(tooHigh).toMatchObject({ kind: 'amount', asset: 'usd', reason: 'TOO_HIGH' });
    expect('limits' in tooHigh && tooHigh.limits).toEqual({ min: '20', max: '5000' });
    expect(Number('given' in tooHigh ? tooHigh.given : 0)).toBeGreaterThan(6_000);
    expect(tooHigh.message).toMatch(
      /^Given amount is 6[0-9.]+ USD, but cheap accepts 20 to 5000 USD by ACH\. The given amount is estimated for an output of 6000 USDC\.$/,
    );
    const tooLow = await onlyIssue(fixedOutput(USDC, '3', 'usd'));
    expect(tooLow).toMatchObject({ kind: 'amount', asset: 'usd', reason: 'TOO_LOW' });
    expect(Number('given' in tooLow ? tooLow.given : 0)).toBeLessThan(20);
  });

  it.each([
    ['the pools', USDC, WETH, '1000000000'],
    ['any token', USDC, WETH, '9'.repeat(59)],
    ['a transfer of 256 bits', USDC, USDC, MAX_USDC],
  ])('refuses an output too large for %s', async (_, from, to, amount) => {
    const issue = await onlyIssue(fixedOutput(to, amount, from));
    expect(issue).toMatchObject({ kind: 'amount', asset: from });
    expect('reason' in issue && issue.reason).toMatch(/^(TOO_HIGH|NO_VALID_AMOUNT)$/);
    expect(issue.message).toContain(` The given amount is estimated for an output of ${amount} `);
  });

  it('refuses an output that a price impact makes dear', async () => {
    const dear = ['4000000', WETH] as const;
    const issue = await onlyIssue(fixedOutput(USDC, ...dear));
    expect(issue).toMatchObject({ kind: 'amount', asset: WETH, reason: 'UNEXPECTEDLY_LOW' });
    expect(Number('given' in issue ? issue.given : 0)).toBeGreaterThan(4_000_000 / 3_000);
    const allowed = await best(fixedOutput(USDC, ...dear, { allow_unsafe_slippage: true }));
    expect(least(allowed)).toBe(4_000_000_000_000n);
  });

  it('refuses an output below the bridge’s minimum', async () => {
    solver.behaviour = 'picky';
    const issue = await onlyIssue(fixedOutput(FOREIGN_USDC, '300', USDC));
    expect(issue).toMatchObject({ kind: 'amount', asset: USDC, reason: 'TOO_LOW' });
    expect(issue.message).toMatch(/^Given amount is [0-9.]+ USDC, which becomes /);
    expect(issue.message).toMatch(/ The given amount is estimated for an output of 300 USDC\.$/);
  });

  it('has no route to a currency', async () => {
    const { status, body } = await stand.ask(fixedOutput('eur', '20', USDC));
    expect(status).toBe(200);
    expect(body.quotes).toEqual([]);
    expect(body.fault).toMatchObject({ message: `No route from ${USDC} to eur.` });
  });

  it.each([
    ['an amount of zero', fixedOutput(WETH, '0', USDC), ['request.fixed_output_amount.amount']],
    [
      'a decimal too many',
      fixedOutput(USDC, '1.0000001', WETH),
      ['request.fixed_output_amount.amount'],
    ],
    [
      'an unknown output',
      fixedOutput('alphanet:0x12', '1', USDC),
      ['request.fixed_output_amount.asset'],
    ],
    ['an unknown input', fixedOutput(WETH, '1', 'xyz'), ['request.input_asset']],
    ['the same currency', fixedOutput('usd', '1', 'usd'), ['request.fixed_output_amount.asset']],
    [
      'wrong types',
      { request: { kind: 'FIXED_OUTPUT', fixed_output_amount: { asset: 5, amount: 5 } } },
      [
        'request.fixed_output_amount.amount',
        'request.fixed_output_amount.asset',
        'request.input_asset',
      ],
    ],
    [
      'the fields of the other kind',
      { request: { ...fixedInput(USDC, '1', WETH).request, kind: 'FIXED_OUTPUT' } },
      ['request.fixed_output_amount', 'request.input_asset'],
    ],
  ])('refuses %s', async (_, body, paths) => {
    const { status, body: answer } = await stand.refused(body);
    expect(status).toBe(400);
    const found = answer.errors.map((error) =>
      'path' in error ? error.path.join('.') : error.kind,
    );
    expect(found.sort()).toEqual(paths);
  });

  it('refuses an unknown kind by its name', async () => {
    const { request } = fixedInput(USDC, '20', WETH);
    const { status, body } = await stand.refused({ request: { ...request, kind: 'FIXED' } });
    expect(status).toBe(400);
    expect(body.errors).toMatchObject([{ path: ['request', 'kind'] }]);
  });
});
