import {
  addDecimals,
  compareDecimals,
  formatAmount,
  parseAmount,
  subDecimals,
  valueOf,
} from '@bascule/amounts';
import { Chain, chainDefinitions } from '@bascule/chain';
import {
  parseTokenIdentifier,
  type PaymentPlan,
  type Quote,
  type TokenIdentifier,
} from '@bascule/contracts';
import { developmentAddresses } from '@bascule/solidity';
import { eventually } from '@bascule/testing';
import { bestQuote, createVenues } from '@bascule/venues';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  FOREIGN_NATIVE,
  FOREIGN_USDC,
  FOREIGN_WETH,
  NATIVE,
  USDC,
  WETH,
} from '../testing/catalogue-feed.fixture.js';
import {
  BRIDGE,
  fixedInput,
  startQuoteStand,
  type QuoteStand,
} from '../testing/quote-stand.fixture.js';
import { aParent, park, parentRecord } from '../testing/parent-payments.fixture.js';
import { usdcOnramp } from '../testing/stub-onramps.fixture.js';
import {
  delivers,
  FILL_SECONDS,
  startStubSolver,
  type SolverBehaviour,
  type StubSolver,
} from '../testing/stub-solver.fixture.js';

const { intentEscrow } = developmentAddresses;
const DECIMALS: Record<string, number> = { usd: 2, [USDC]: 6, [FOREIGN_USDC]: 6 };
const unitsOf = (asset: string, amount: string): bigint =>
  parseAmount(amount, DECIMALS[asset] ?? 18);

describe('quotes that cross chains', () => {
  let stand: QuoteStand;
  let solver: StubSolver;

  beforeAll(async () => {
    solver = await startStubSolver();
    const onramps = { here: usdcOnramp(USDC), there: usdcOnramp(FOREIGN_USDC) };
    stand = await startQuoteStand(onramps, { PROVIDER_TIMEOUT_MS: '4000' }, solver);
  });
  afterEach(() => {
    solver.behaviour = 'honest';
  });
  afterAll(async () => {
    await stand.stop();
    await solver.stop();
  });

  async function onlyQuote(asset: string, amount: string, output: string, rest: object = {}) {
    const { status, body } = await stand.ask(fixedInput(asset, amount, output, rest));
    expect(body.failures ?? body).toEqual([]);
    expect(status).toBe(200);
    const [quote] = body.quotes;
    if (!quote || body.quotes.length > 1) throw new Error('expected one quote');
    const [sealed] = (await stand.open(body.state_token)).quotes;
    if (!sealed) throw new Error('the state token holds no quote');
    return { quote, plan: sealed.plan, prices: body.current_prices };
  }

  const legsOf = ({ legs }: PaymentPlan) => {
    const [first, last] = legs;
    if (!first || !last || legs.length > 2) throw new Error('expected two legs');
    return { first, last };
  };

  const conversion = async (
    name: 'alphanet' | 'betanet',
    from: string,
    to: string,
    units: bigint,
  ) => {
    const definition = chainDefinitions[name];
    const rpcUrl = name === 'alphanet' ? stand.chain.rpcUrl : stand.otherChain?.rpcUrl;
    if (!definition || !rpcUrl) throw new Error(`chain ${name} is not configured`);
    const best = await bestQuote(
      createVenues(),
      new Chain({ definition, rpcUrls: [rpcUrl] }).anyNode,
      {
        inputToken: parseTokenIdentifier(from as TokenIdentifier).address,
        outputToken: parseTokenIdentifier(to as TokenIdentifier).address,
        amountIn: units,
      },
    );
    return best?.amountOut;
  };

  it('quotes a payment of another chain anew, back over the bridge', async () => {
    const parent = aParent({ deposit: FOREIGN_USDC, output: WETH });
    await stand.transport.publish([parentRecord(parent)]);
    await park(stand, parent, 250_000_000n, FOREIGN_USDC);
    const request = { output_asset: USDC };
    const { status, body } = await stand.ask({ payment_id: parent.id, request });
    expect([status, body.failures]).toEqual([200, []]);
    const { quotes } = await stand.open(body.state_token);
    const [planned] = quotes;
    const fee = 250_000_000n - BigInt(planned?.plan.deposit.required_amount ?? 0);
    expect(fee).toBeGreaterThan(0n);
    expect(fee).toBeLessThan(5_000_000n);
    expect(planned?.plan.deposit.token).toBe(FOREIGN_USDC);
    expect(planned?.plan.legs.map(({ chain }) => chain)).toEqual(['betanet', 'alphanet']);
  });

  it('quotes the bridge for the output of the first leg and plans both legs', async () => {
    const { quote, plan } = await onlyQuote(USDC, '250', FOREIGN_USDC);
    const { first, last } = legsOf(plan);
    const sent = 250_000_000n - BigInt(first.fees[0]?.amount ?? 0);
    expect(solver.asked.at(-1)).toBe(sent);
    expect(plan.deposit).toEqual({ token: USDC, required_amount: '250000000' });
    expect(first).toMatchObject({
      chain: 'alphanet',
      input_token: USDC,
      max_input: '250000000',
      output_token: USDC,
      output_amount: String(sent),
      min_output: String(sent),
      bridge: {
        name: BRIDGE,
        adapter: intentEscrow,
        delivered_amount: String(delivers(sent)),
        min_bridged: String(delivers(sent) - (delivers(sent) * 50n) / 10_000n),
      },
    });
    const output = delivers(sent) - BigInt(last.fees[0]?.amount ?? 0);
    expect(last).toEqual({
      chain: 'betanet',
      input_token: FOREIGN_USDC,
      input_amount: String(delivers(sent)),
      max_input: String(delivers(sent) + (delivers(sent) * 500n) / 10_000n),
      fees: [expect.objectContaining({ kind: 'network' })],
      output_token: FOREIGN_USDC,
      output_amount: String(output),
      min_output: String(output - (output * 50n) / 10_000n),
      gas_limit: '500000',
      gas: '200000',
      gas_cost: expect.stringMatching(/^[1-9]\d+$/),
    });
    expect(unitsOf(FOREIGN_USDC, quote.output_amount.amount)).toBe(output);
    expect(quote.route.map(({ type }) => type)).toEqual([
      'USER_FUND',
      'ONCHAIN_STEP',
      'ONCHAIN_STEP',
    ]);
    const { confirmations, blockTimeMs } = chainDefinitions['betanet'] ?? {};
    const final = ((confirmations ?? 0) * (blockTimeMs ?? 0)) / 1_000;
    expect(quote.latency_seconds).toBeGreaterThan(FILL_SECONDS + final);
  });

  it("converts on both chains at their pools' prices", async () => {
    const { quote, plan } = await onlyQuote(WETH, '0.2', FOREIGN_NATIVE);
    const { first, last } = legsOf(plan);
    const converted = unitsOf(WETH, '0.2') - BigInt(first.fees[0]?.amount ?? 0);
    expect(first).toMatchObject({ input_token: WETH, output_token: USDC });
    expect(await conversion('alphanet', WETH, USDC, converted)).toBe(BigInt(first.output_amount));
    const delivered = delivers(BigInt(first.output_amount));
    const least = BigInt(first.min_output);
    expect(solver.asked).toContain(least);
    const declared = delivers(least) - (delivers(least) * 50n) / 10_000n;
    expect(first.bridge?.min_bridged).toBe(String(declared));
    expect(last).toMatchObject({
      input_token: FOREIGN_USDC,
      input_amount: String(delivered),
      output_token: FOREIGN_NATIVE,
    });
    const left = delivered - BigInt(last.fees[0]?.amount ?? 0);
    const given = await conversion('betanet', FOREIGN_USDC, FOREIGN_NATIVE, left);
    expect(BigInt(last.output_amount)).toBe(given);
    const promised = BigInt(last.min_output) * 10_000n;
    expect(promised).toBeGreaterThanOrEqual(BigInt(last.output_amount) * 9_850n);
    expect(promised).toBeLessThan(BigInt(last.output_amount) * 9_851n);
    const pieces = quote.route.map(({ pieces_info }) => pieces_info.map(({ type }) => type));
    expect(pieces).toEqual([['user_fund'], ['convert', 'bridge'], ['convert', 'transfer_out']]);
  });

  function expectFeesToMatchLoss(
    asset: string,
    amount: string,
    { fees, output_amount: out }: Quote,
    prices: Record<string, string>,
  ): void {
    const worth = (of: string, text: string) =>
      valueOf(unitsOf(of, text), DECIMALS[of] ?? 18, prices[of] ?? '');
    const left = subDecimals(worth(asset, amount), fees.total_fees);
    const difference = subDecimals(worth(out.asset, out.amount), left);
    expect(compareDecimals(difference, '0.00000001')).toBe(-1);
    expect(compareDecimals(difference, '0')).not.toBe(-1);
    const sum = addDecimals(fees.conversion_fees, fees.network_fees, fees.business_fees);
    expect(compareDecimals(sum, fees.total_fees)).toBe(0);
    expect(compareDecimals(fees.network_fees, '0')).toBe(1);
  }

  it.each([
    ['the same token', USDC, '250', FOREIGN_USDC],
    ['a conversion after the bridge', USDC, '250', FOREIGN_WETH],
    ['a conversion before the bridge', WETH, '0.1', FOREIGN_USDC],
    ['conversions on both sides', WETH, '0.1', FOREIGN_NATIVE],
    ['native currency on both sides', NATIVE, '0.1', FOREIGN_NATIVE],
    ['the other direction', FOREIGN_USDC, '250', NATIVE],
  ])('splits the whole lost value into fees: %s', async (_, asset, amount, output) => {
    const { quote, prices } = await onlyQuote(asset, amount, output);
    expectFeesToMatchLoss(asset, amount, quote, prices);
  });

  it('bridges a purchase on another chain, beside one on the output chain', async () => {
    const { body } = await stand.ask(fixedInput('usd', '200', FOREIGN_WETH));
    expect(body.failures).toEqual([]);
    expect(body.quotes.map(({ onramp }) => onramp)).toEqual(['there', 'here']);
    const { quotes } = await stand.open(body.state_token);
    const bought = quotes.find(({ quote }) => quote.onramp === 'here');
    if (!bought) throw new Error('expected a quote of the onramp here');
    const { first, last } = legsOf(bought.plan);
    expect(bought.plan.deposit).toEqual({ token: USDC, required_amount: '197010000' });
    expect(first).toMatchObject({ input_amount: '198000000', max_input: '207900000' });
    const output = BigInt(last.output_amount);
    expect(BigInt(last.min_output)).toBe(output - (output * 150n) / 10_000n);
    expectFeesToMatchLoss('usd', '200', bought.quote, body.current_prices);
  });

  it('lists the limits of the bridge, in the asset of the request, with its name', async () => {
    const limitsOf = async (asset: string, amount: string) =>
      (await stand.ask(fixedInput(asset, amount, FOREIGN_USDC))).body.limits;
    expect(await limitsOf(USDC, '250')).toEqual([
      {
        source: BRIDGE,
        min: expect.stringMatching(/^[1-4]\./),
        max: expect.stringMatching(/^10000[0-9]/),
      },
    ]);
    const [fromWeth] = await limitsOf(WETH, '0.1');
    expect(fromWeth?.source).toBe(BRIDGE);
    expect(Number(fromWeth?.min)).toBeLessThan(0.01);
    expect(Number(fromWeth?.max)).toBeGreaterThan(30);
    const ofRamps = [
      { source: 'here', min: '20', max: '5000' },
      { source: 'there', min: '20', max: '5000' },
      { source: BRIDGE, min: expect.any(String), max: expect.any(String) },
    ];
    expect(await limitsOf('usd', '200')).toEqual(expect.arrayContaining(ofRamps));
    solver.behaviour = 'down';
    expect(await limitsOf(USDC, '250')).toEqual([{ source: BRIDGE }]);
  });

  it.each<[string, SolverBehaviour, string]>([
    ['is down', 'down', `${BRIDGE}: is unavailable`],
    ['would deliver nothing', 'nothing', `${BRIDGE}: is unavailable`],
    ['would deliver more than it takes', 'more', 'worth more than the payment'],
    ['would deliver an impossible amount', 'huge', 'worth more than the payment'],
    ['responds with a web page', 'html', `${BRIDGE}: is unavailable`],
    ['responds in another shape', 'other-shape', `${BRIDGE}: is unavailable`],
    ['has an endless latency', 'forever', `${BRIDGE}: filled within 1000000000 s`],
    ["takes longer than the escrow's deadline", 'late', `${BRIDGE}: filled within 110 s`],
    ['refuses', 'refuses', `${BRIDGE}: not now`],
  ])('reports a failure when the solver %s', async (_, conduct, message) => {
    solver.behaviour = conduct;
    const { status, body } = await stand.ask(fixedInput(USDC, '250', FOREIGN_USDC));
    expect(status).toBe(200);
    expect(body.quotes).toEqual([]);
    const issue = { kind: 'provider', message: expect.stringContaining(message) };
    expect(body.failures).toEqual([
      { service_ids: [BRIDGE], latency_seconds: expect.any(Number), issues: [issue] },
    ]);
    expect(body.fault).toEqual(issue);
  });

  it('quotes routes without a bridge while the solver times out', async () => {
    solver.behaviour = 'silent';
    const { body } = await stand.ask(fixedInput('usd', '200', FOREIGN_USDC));
    expect(body.quotes.map(({ onramp }) => onramp)).toEqual(['there']);
    const message = `${BRIDGE}: timed out`;
    expect(body.failures).toEqual([
      expect.objectContaining({ service_ids: [BRIDGE], issues: [{ kind: 'provider', message }] }),
    ]);
    await onlyQuote(USDC, '20', WETH);
  });

  it("refuses an amount outside the bridge's limits and reports them", async () => {
    solver.behaviour = 'picky';
    const { status, body } = await stand.refused(fixedInput(USDC, '250', FOREIGN_USDC));
    expect(status).toBe(400);
    const [issue] = body.errors;
    expect(issue).toMatchObject({
      kind: 'amount',
      asset: USDC,
      given: '250',
      source: BRIDGE,
      reason: 'TOO_LOW',
    });
    const limits = issue && 'limits' in issue ? issue.limits : undefined;
    const { plan } = await onlyQuote(USDC, String(limits?.min), FOREIGN_USDC);
    expect(Number(plan.legs[0]?.output_amount)).toBeCloseTo(500_000_000, -7);

    const high = await stand.refused(fixedInput(WETH, '1', FOREIGN_USDC));
    expect(high.body.errors).toEqual([
      expect.objectContaining({
        kind: 'amount-downstream',
        asset: WETH,
        given: '1',
        limits: { min: expect.any(String), max: expect.any(String) },
        downstream_limits: { min: '500', max: '600' },
        message: expect.stringMatching(
          /^Given amount is 1 WETH, which becomes [0-9.]+ USDC, but intent_escrow accepts 500 to 600 USDC\.$/,
        ),
        reason: 'TOO_HIGH',
      }),
    ]);
    expect(high.status).toBe(400);
    const [downstream] = high.body.errors;
    if (!downstream || !('limits' in downstream)) throw new Error('expected limits');
    for (const limit of [downstream.limits.min, downstream.limits.max]) {
      const within = await onlyQuote(WETH, String(limit), FOREIGN_USDC);
      const sent = BigInt(within.plan.legs[0]?.output_amount ?? 0);
      expect(sent).toBeGreaterThanOrEqual(500_000_000n);
      expect(sent).toBeLessThanOrEqual(600_000_000n);
    }
  });

  it('reports the limits of a bridge behind an onramp in the fiat currency', async () => {
    solver.behaviour = 'picky';
    const bought = (amount: string) =>
      fixedInput('usd', amount, FOREIGN_USDC, { onramps: ['here'] });
    const { status, body } = await stand.refused(bought('200'));
    expect(status).toBe(400);
    expect(body.errors).toEqual([
      expect.objectContaining({
        kind: 'amount-downstream',
        asset: 'usd',
        given: '200',
        downstream_limits: { min: '500', max: '600' },
        source: BRIDGE,
        message: expect.stringMatching(
          /^Given amount is 200 USD, which becomes at least [0-9.]+ USDC, but intent_escrow accepts 500 to 600 USDC\.$/,
        ),
        reason: 'TOO_LOW',
      }),
    ]);
    const [issue] = body.errors;
    if (!issue || !('limits' in issue)) throw new Error('expected limits');
    const within = [];
    for (const limit of [issue.limits.min, issue.limits.max]) {
      const answer = await stand.ask(bought(String(limit)));
      const { quotes } = await stand.open(answer.body.state_token);
      const [leg] = quotes[0]?.plan.legs ?? [];
      within.push(BigInt(leg?.min_output ?? 0), BigInt(leg?.output_amount ?? 0));
    }
    expect(within.every((sent) => sent >= 500_000_000n && sent <= 600_000_000n)).toBe(true);
  });

  /** Input of which the first chain's fee leaves `rest`. */
  async function leaving(rest: bigint): Promise<string> {
    const { plan } = await onlyQuote(USDC, '250', FOREIGN_USDC);
    return formatAmount(BigInt(plan.legs[0]?.fees[0]?.amount ?? 0) + rest, 6);
  }

  it('refuses an amount below the network fee of the second chain', async () => {
    const given = await leaving(50_000n);
    const more = fixedInput(USDC, given, FOREIGN_USDC, { allow_unsafe_slippage: true });
    const { status, body } = await stand.refused(more);
    expect(status).toBe(400);
    expect(body.errors).toEqual([
      expect.objectContaining({
        kind: 'amount-downstream',
        asset: USDC,
        given,
        source: 'betanet',
        reason: 'TOO_LOW',
        limits: { min: expect.any(String) },
        downstream_limits: { min: expect.any(String) },
        message: `Given amount is ${given} USDC, of which the network fee of betanet leaves nothing.`,
      }),
    ]);
    const [issue] = body.errors;
    const least = issue && 'limits' in issue ? issue.limits.min : undefined;
    await onlyQuote(USDC, String(least), FOREIGN_USDC, { allow_unsafe_slippage: true });
  });

  it('reports a minimum that is enough for both chains', async () => {
    const { status, body } = await stand.refused(fixedInput(USDC, '0.000001', FOREIGN_USDC));
    expect(status).toBe(400);
    const [issue] = body.errors;
    expect(issue).toMatchObject({ kind: 'amount', source: 'alphanet', reason: 'TOO_LOW' });
    const least = issue && 'limits' in issue ? issue.limits.min : undefined;
    await onlyQuote(USDC, String(least), FOREIGN_USDC);
  });

  it('refuses a bridge with a high price impact, unless allow_unsafe_slippage is set', async () => {
    solver.behaviour = 'expensive';
    const { status, body } = await stand.refused(fixedInput(USDC, '250', FOREIGN_USDC));
    expect(status).toBe(400);
    expect(body.errors).toEqual([
      expect.objectContaining({ kind: 'amount', source: BRIDGE, reason: 'UNEXPECTEDLY_LOW' }),
    ]);
    const unsafe = { allow_unsafe_slippage: true };
    const { quote, plan } = await onlyQuote(USDC, '250', FOREIGN_USDC, unsafe);
    const { first, last } = legsOf(plan);
    const sent = BigInt(first.output_amount);
    expect(BigInt(last.input_amount)).toBe(sent - sent / 7n);
    expect(quote.output_amount.amount).toBe(formatAmount(BigInt(last.output_amount), 6));
  });

  it.each([true, false])('keeps use_intent_refund %s for the payment', async (wish) => {
    const asked = fixedInput(USDC, '250', FOREIGN_USDC, { use_intent_refund: wish });
    const { body } = await stand.ask(asked);
    expect(body.quote_request).toMatchObject({ use_intent_refund: wish });
    const sealed = await stand.open(body.state_token);
    expect(sealed.quote_request.use_intent_refund).toBe(wish);
  });

  it.each(['yes', 1, {}])('refuses use_intent_refund %p', async (wish) => {
    const asked = fixedInput(USDC, '250', FOREIGN_USDC, { use_intent_refund: wish });
    const { status, body } = await stand.refused(asked);
    expect(status).toBe(400);
    expect(body.errors).toMatchObject([
      { code: 'invalid_type', expected: 'boolean', path: ['use_intent_refund'] },
    ]);
  });

  it('fails a route whose second chain is unreachable', async () => {
    await stand.otherChain?.stop();
    await eventually(async () => {
      const { status, body } = await stand.ask(fixedInput(USDC, '250', FOREIGN_USDC));
      expect(status).toBe(200);
      expect(body.quotes).toEqual([]);
      expect(body.failures).toEqual([expect.objectContaining({ service_ids: ['betanet'] })]);
    });
  });
});

describe('an unreachable bridge', () => {
  let stand: QuoteStand;
  beforeAll(async () => {
    const dead = { name: BRIDGE, adapter: 'intent-escrow', solver_url: 'http://127.0.0.1:9' };
    const BRIDGES = JSON.stringify([{ ...dead, api_key: 'key' }]);
    stand = await startQuoteStand({ there: usdcOnramp(FOREIGN_USDC) }, { BRIDGES });
  });
  afterAll(() => stand.stop());

  it('fails only routes that need it', async () => {
    const { status, body } = await stand.ask(fixedInput(USDC, '250', FOREIGN_USDC));
    expect(status).toBe(200);
    expect(body.quotes).toEqual([]);
    const issue = { kind: 'provider', message: `${BRIDGE}: is unavailable` };
    expect(body.failures).toEqual([
      { service_ids: [BRIDGE], latency_seconds: expect.any(Number), issues: [issue] },
    ]);
    expect(body.fault).toEqual(issue);
    const { body: here } = await stand.ask(fixedInput(USDC, '250', WETH));
    expect(here.failures).toEqual([]);
    expect(here.quotes).toHaveLength(1);
  });
});
