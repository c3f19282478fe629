import { parseAmount } from '@bascule/amounts';
import type { RouteChange } from '@bascule/contracts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { paymentPlan, type PlanTerms } from './payment-plan.js';
import type { QuotedRoute } from './quoted-route.js';
import { routeSteps } from './route-steps.js';

const USDC = 'alphanet:0x01' as const;
const WETH = 'alphanet:0x02' as const;
const terms: PlanTerms = { slippageBps: 50, surplusBps: 500, feeReceiver: '0xfee' };
const usdc = (units: bigint) => ({ asset: USDC, decimals: 6, units });
const weth = (units: bigint) => ({ asset: WETH, decimals: 18, units });

const transfer: QuotedRoute = {
  leg: { chain: 'alphanet', inputToken: USDC, outputToken: USDC },
  input: usdc(10_000_000n),
  onramp: null,
  deposit: usdc(10_000_000n),
  networkFee: 1_000_000n,
  venue: null,
  output: usdc(9_000_000n),
};
const swap: QuotedRoute = {
  ...transfer,
  leg: { chain: 'alphanet', inputToken: USDC, outputToken: WETH },
  venue: 'uniswap_v3',
  output: weth(4_000_000n),
};
const onramp: QuotedRoute = {
  ...swap,
  input: { asset: 'usd', decimals: 2, units: 1_050n },
  onramp: {
    provider: 'swiftramp',
    method: 'CREDIT_CARD',
    providerQuoteId: 'q1',
    latencySeconds: 60,
  },
};

describe('paymentPlan', () => {
  it('promises a transfer to the last unit', () => {
    const plan = paymentPlan(transfer, terms);
    expect(plan.funding).toEqual({ kind: 'token' });
    expect(plan.deposit).toEqual({ token: USDC, required_amount: '10000000' });
    expect(plan.legs).toEqual([
      {
        chain: 'alphanet',
        input_token: USDC,
        input_amount: '10000000',
        max_input: '10000000',
        fees: [{ kind: 'network', receiver: '0xfee', amount: '1000000' }],
        output_token: USDC,
        output_amount: '9000000',
        min_output: '9000000',
      },
    ]);
  });

  it('promises a conversion less half a percent', () => {
    expect(paymentPlan(swap, terms).legs[0]).toMatchObject({
      max_input: '10000000',
      output_amount: '4000000',
      min_output: '3980000',
    });
  });

  it('lets an onramp deliver between half a percent less and five percent more', () => {
    const plan = paymentPlan(onramp, terms);
    expect(plan.funding).toEqual({
      kind: 'onramp',
      provider: 'swiftramp',
      method: 'CREDIT_CARD',
      fiat: 'usd',
      fiat_amount: '10.5',
      provider_quote_id: 'q1',
      delivery_amount: '10000000',
    });
    expect(plan.deposit.required_amount).toBe('9950000');
    expect(plan.legs[0]).toMatchObject({
      input_amount: '10000000',
      max_input: '10500000',
      min_output: '3960000',
    });
  });

  it('has no fee where gas costs nothing', () => {
    expect(paymentPlan({ ...transfer, networkFee: 0n }, terms).legs[0]?.fees).toEqual([]);
  });

  it('never promises more than is quoted, nor less than the slippage allows', () => {
    const units = fc.bigInt({ min: 1n, max: 10n ** 30n });
    fc.assert(
      fc.property(units, units, fc.integer({ min: 0, max: 1_000 }), (out, deposit, slippageBps) => {
        for (const route of [transfer, swap, onramp]) {
          const quoted = {
            ...route,
            deposit: usdc(deposit),
            output: { ...route.output, units: out },
          };
          const [leg] = paymentPlan(quoted, { ...terms, slippageBps }).legs;
          const minimum = BigInt(leg?.min_output ?? -1);
          expect(minimum).toBeLessThanOrEqual(out);
          expect(minimum * 10_000n).toBeGreaterThanOrEqual(out * BigInt(10_000 - 2 * slippageBps));
          expect(BigInt(leg?.max_input ?? 0)).toBeGreaterThanOrEqual(
            BigInt(leg?.input_amount ?? 1),
          );
        }
      }),
    );
  });
});

describe('routeSteps', () => {
  const total = (changes: readonly RouteChange[], asset: string): bigint =>
    changes
      .filter(({ resource }) => resource.asset === asset)
      .reduce((sum, { amount }) => sum + parseAmount(amount, 30), 0n);

  it('says who funds, by what', () => {
    expect(routeSteps(transfer).map(({ type }) => type)).toEqual(['USER_FUND', 'ONCHAIN_STEP']);
    expect(routeSteps(onramp)[0]).toEqual({
      type: 'ONRAMP',
      net_effect: {
        consume: [
          { account: 'USER', resource: { asset: 'usd', property: 'BALANCE' }, amount: '10.5' },
        ],
        produce: [{ account: 'SPW', resource: { asset: USDC, property: 'BALANCE' }, amount: '10' }],
      },
      pieces_info: [{ type: 'onramp', provider: 'swiftramp', method: 'CREDIT_CARD' }],
      step_index: 0,
    });
  });

  it('shows the fee, the pool and the destination of a conversion', () => {
    const { consume, produce } = routeSteps(swap)[1]?.net_effect ?? { consume: [], produce: [] };
    const short = (changes: readonly RouteChange[]) =>
      changes.map(({ account, resource, amount }) => [account, resource.asset, amount]);
    expect(short(consume)).toEqual([
      ['SPW', USDC, '10'],
      ['POOL', WETH, '0.000000000004'],
    ]);
    expect(short(produce)).toEqual([
      ['DEST', WETH, '0.000000000004'],
      ['SERVICE', USDC, '1'],
      ['POOL', USDC, '9'],
    ]);
  });

  it('conserves every asset in every step but the two of an onramp', () => {
    const amounts = fc
      .record({ fee: fc.bigInt(0n, 10n ** 20n), rest: fc.bigInt(1n, 10n ** 20n) })
      .chain(({ fee, rest }) => fc.constant({ fee, deposit: fee + rest }));
    fc.assert(
      fc.property(amounts, fc.bigInt(1n, 10n ** 20n), ({ fee, deposit }, out) => {
        for (const route of [transfer, swap, onramp]) {
          const isTransfer = route.venue === null;
          const quoted: QuotedRoute = {
            ...route,
            input: route.onramp ? route.input : usdc(deposit),
            deposit: usdc(deposit),
            networkFee: fee,
            output: { ...route.output, units: isTransfer ? deposit - fee : out },
          };
          for (const { type, net_effect } of routeSteps(quoted)) {
            if (type === 'ONRAMP') continue;
            for (const asset of [USDC, WETH]) {
              expect(total(net_effect.consume, asset)).toBe(total(net_effect.produce, asset));
            }
          }
        }
      }),
    );
  });
});
