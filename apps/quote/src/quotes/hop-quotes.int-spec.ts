import { parseAmount } from '@bascule/amounts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  DELTA_NATIVE,
  DELTA_USDC,
  FOREIGN_USDC,
  USDC,
  WETH,
} from '../testing/catalogue-feed.fixture.js';
import {
  fixedInput,
  fixedOutput,
  startQuoteStand,
  type QuoteStand,
} from '../testing/quote-stand.fixture.js';
import { usdcOnramp } from '../testing/stub-onramps.fixture.js';
import { delivers, startStubSolver, type StubSolver } from '../testing/stub-solver.fixture.js';

const seller = usdcOnramp(USDC);
const through = (...hops: string[]) => ({ hops });

describe('quotes of routes through given chains', () => {
  let stand: QuoteStand;
  let solver: StubSolver;

  beforeAll(async () => {
    solver = await startStubSolver();
    const settings = { CHAINS: 'alphanet,betanet,deltanet' };
    stand = await startQuoteStand({ seller }, settings, solver);
  });
  afterAll(async () => {
    await stand.stop();
    await solver.stop();
  });

  async function onlyPlan(body: object) {
    const { status, body: answer } = await stand.ask(body);
    expect(answer.failures ?? answer).toEqual([]);
    expect(status).toBe(200);
    expect(answer.quotes).toHaveLength(1);
    const [sealed] = (await stand.open(answer.state_token)).quotes;
    if (!sealed) throw new Error('the state token holds no quote');
    return sealed;
  }

  it.each([
    ['a token', USDC, DELTA_USDC, '100', 2],
    ['a token that is converted first and last', WETH, DELTA_NATIVE, '0.1', 4],
    ['fiat', 'usd', DELTA_USDC, '100', 3],
  ])('crosses twice: %s', async (_, from, to, amount, uncertainSteps) => {
    const { quote, plan } = await onlyPlan(fixedInput(from, amount, to, through('betanet')));
    expect(plan.legs.map(({ chain }) => chain)).toEqual(['alphanet', 'betanet', 'deltanet']);
    expect(plan.legs.map(({ bridge }) => bridge?.name)).toEqual([
      'intent_escrow',
      'intent_escrow',
      undefined,
    ]);
    const [first, second, last] = plan.legs;
    expect(second?.input_amount).toBe(first?.bridge?.delivered_amount);
    expect(last?.input_amount).toBe(second?.bridge?.delivered_amount);
    expect(last?.input_amount).toBe(String(delivers(BigInt(second?.output_amount ?? 0))));
    expect(quote.route).toHaveLength(4);
    const output = parseAmount(quote.output_amount.amount, to === DELTA_NATIVE ? 18 : 6);
    const allowed = output - (output * 50n * BigInt(uncertainSteps)) / 10_000n;
    expect(BigInt(last?.min_output ?? 0)).toBe(allowed);
  });

  it('fixes the output of a route over two bridges', async () => {
    const body = fixedOutput(DELTA_USDC, '50', USDC, through('betanet'));
    const { plan } = await onlyPlan(body);
    expect(plan.legs).toHaveLength(3);
    expect(plan.legs[2]?.min_output).toBe('50000000');
  });

  it.each([
    ['without hops a route over two bridges', USDC, DELTA_USDC, {}, ''],
    ['a chain without a bridge', USDC, FOREIGN_USDC, through('deltanet'), ' through deltanet'],
    ['a chain twice', USDC, WETH, through('betanet'), ' through betanet'],
  ])('finds no route: %s', async (_, from, to, rest, suffix) => {
    const { status, body } = await stand.ask(fixedInput(from, '100', to, rest));
    expect(status).toBe(200);
    expect(body.quotes).toEqual([]);
    expect(body.failures).toEqual([]);
    const message = `No route from ${from} to ${to}${suffix}.`;
    expect(body.fault).toEqual({ kind: 'other', message });
  });

  it('refuses unknown, repeated, first and last chains together with other problems', async () => {
    const found = async (hops: unknown[]) => {
      const { status, body } = await stand.refused(fixedInput(USDC, '0', DELTA_USDC, { hops }));
      expect(status).toBe(400);
      return body.errors
        .map((error) => ('path' in error ? error.path.join('.') : error.kind))
        .sort();
    };
    const amount = 'request.fixed_input_amount.amount';
    expect(await found(['nowhere', 'betanet', 'betanet'])).toEqual(['hops.0', 'hops.2', amount]);
    expect(await found(['alphanet', 'deltanet', 5])).toEqual([
      'hops.0',
      'hops.1',
      'hops.2',
      amount,
    ]);
  });

  it.each([
    ['hops', 'x', 3],
    ['onramps', 1, 32],
    ['tags', {}, 32],
    ['features', null, 32],
  ])('answers too many %s with one problem', async (field, item, max) => {
    const list = Array.from({ length: 50_000 }, () => item);
    const request = fixedInput(USDC, '100', DELTA_USDC, { [field]: list });
    const { status, body } = await stand.refused(request);
    expect(status).toBe(400);
    const message = `${field} must contain no more than ${max} elements`;
    expect(body.errors).toEqual([{ code: 'too_big', path: [field], message }]);
  });

  it('answers too many custom actions with one problem', async () => {
    const { request } = fixedInput(USDC, '100', USDC);
    const actions = Array.from({ length: 80_000 }, () => ({}));
    const custom_actions = { actions, user_estimated_gas: '0' };
    const { status, body } = await stand.refused({ request: { ...request, custom_actions } });
    expect(status).toBe(400);
    expect(body.errors).toMatchObject([
      { code: 'too_big', path: ['request', 'custom_actions', 'actions'] },
    ]);
  });

  it('takes empty hops like none', async () => {
    const { plan } = await onlyPlan(fixedInput(USDC, '100', FOREIGN_USDC, { hops: [] }));
    expect(plan.legs).toHaveLength(2);
  });
});
