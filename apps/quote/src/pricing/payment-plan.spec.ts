import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  ADAPTER,
  aQuotedRoute,
  bridged,
  convertedTwice,
  FOREIGN_NATIVE,
  FOREIGN_USDC,
  of,
  onramp,
  swap,
  transfer,
  transferLeg,
  USDC,
} from '../testing/quoted-route.fixture.js';
import type { QuotedRoute } from '../routes/quoted-route.js';
import { minAfterSlippage } from '../routes/quoted-route.js';
import { paymentPlan, type PlanTerms } from './payment-plan.js';

const terms: PlanTerms = {
  ...{ slippageBps: 50, deliverySlippageBps: 50 },
  ...{ surplusBps: 500, feeReceiver: '0xfee' },
};

/** Route in which the bridge delivers this much of the leg's minimum output. */
const withLeast = (route: QuotedRoute, minDelivered: bigint): QuotedRoute => ({
  ...route,
  legs: route.legs.map((leg) => ({
    ...leg,
    bridge: leg.bridge && { ...leg.bridge, minDelivered },
  })),
});

describe('paymentPlan', () => {
  it('declares the exact output of a transfer', () => {
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
        gas_limit: '500000',
        gas: '200000',
        gas_cost: '1000000000000000',
      },
    ]);
  });

  it('declares the output of a conversion less 0.5 %', () => {
    expect(paymentPlan(swap, terms).legs[0]).toMatchObject({
      max_input: '10000000',
      output_amount: '4000000',
      min_output: '3980000',
    });
  });

  it('accepts an onramp delivery from 0.5 % below to 5 % above the quote', () => {
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

  it('requires the usual delivery of an onramp, however wide the declared minimum is', () => {
    const plan = paymentPlan(onramp, { ...terms, slippageBps: 300 });
    expect(plan.deposit.required_amount).toBe('9950000');
    expect(plan.legs[0]).toMatchObject({ output_amount: '4000000', min_output: '3760000' });
  });

  it('accepts a bridge delivery from 0.5 % below to 5 % above the quote', () => {
    const [first, last] = paymentPlan(bridged, terms).legs;
    expect(first).toMatchObject({
      chain: 'alphanet',
      max_input: '10000000',
      output_token: USDC,
      output_amount: '9000000',
      min_output: '9000000',
      bridge: {
        name: 'intent_escrow',
        adapter: ADAPTER,
        delivered_amount: '8900000',
        min_bridged: '8855500',
      },
    });
    expect(last).toEqual({
      chain: 'betanet',
      input_token: FOREIGN_USDC,
      input_amount: '8900000',
      max_input: '9345000',
      fees: [{ kind: 'network', receiver: '0xfee', amount: '500000' }],
      output_token: FOREIGN_USDC,
      output_amount: '8400000',
      min_output: '8358000',
      gas_limit: '500000',
      gas: '200000',
      gas_cost: '1000000000000000',
    });
  });

  it('subtracts 0.5 % for each step that may deliver less', () => {
    const bought = { ...convertedTwice, onramp: onramp.onramp, input: onramp.input };
    const [first, last] = paymentPlan(withLeast(bought, 8_810_000n), terms).legs;
    expect(first).toMatchObject({ max_input: '4200000', min_output: '8910000' });
    expect(first?.bridge?.min_bridged).toBe('8765950');
    expect(last).toMatchObject({ output_token: FOREIGN_NATIVE, min_output: '2646000' });
  });

  it('declares no more than a flat-fee bridge delivers of the leg’s minimum', () => {
    const someTerms = fc.record({
      output: fc.bigInt({ min: 1_000n, max: 10n ** 12n }),
      flat: fc.bigInt({ min: 0n, max: 10n ** 12n }),
      bps: fc.bigInt({ min: 0n, max: 500n }),
      slippageBps: fc.integer({ min: 0, max: 1_000 }),
      isBought: fc.boolean(),
    });
    fc.assert(
      fc.property(someTerms, ({ output, flat, bps, slippageBps, isBought }) => {
        const delivers = (sent: bigint) => (sent * (10_000n - bps)) / 10_000n - flat;
        const least = delivers(minAfterSlippage(output, isBought ? 2 : 1, slippageBps));
        fc.pre(least > 0n);
        const [bridging, last] = convertedTwice.legs;
        if (!bridging?.bridge || !last) throw new Error('expected a leg with a bridge');
        const delivered = of(FOREIGN_USDC, delivers(output));
        const bridge = { ...bridging.bridge, delivered, minDelivered: least };
        const route = {
          ...(isBought ? onramp : convertedTwice),
          legs: [{ ...bridging, output: of(USDC, output), bridge }, last],
        };
        const [leg] = paymentPlan(route, { ...terms, slippageBps }).legs;
        const declared = BigInt(leg?.bridge?.min_bridged ?? 0);
        expect(delivers(BigInt(leg?.min_output ?? 0))).toBeGreaterThanOrEqual(declared);
        expect(declared).toBeGreaterThan(0n);
      }),
    );
  });

  it('declares a fixed output on the last leg alone', () => {
    const [first, last] = paymentPlan({ ...bridged, fixedOutput: 8_000_000n }, terms).legs;
    const [usual] = paymentPlan(bridged, terms).legs;
    expect(first).toEqual(usual);
    expect(last).toMatchObject({ output_amount: '8400000', min_output: '8000000' });
  });

  it('has no fee where gas is free', () => {
    const free = { ...transfer, legs: [{ ...transferLeg, networkFee: 0n }] };
    expect(paymentPlan(free, terms).legs[0]?.fees).toEqual([]);
  });

  it('declares a minimum of at least 1 for any slippage', () => {
    const [first, last] = paymentPlan(bridged, { ...terms, slippageBps: 10_000 }).legs;
    expect(first?.bridge?.min_bridged).toBe('1');
    expect(last?.min_output).toBe('1');
    const dust = { ...transferLeg, output: of(USDC, 1n), venue: 'uniswap_v3' };
    expect(paymentPlan({ ...transfer, legs: [dust] }, terms).legs[0]?.min_output).toBe('1');
  });

  it('never declares more than quoted, nor less than the slippage allows', () => {
    fc.assert(
      fc.property(aQuotedRoute, fc.integer({ min: 0, max: 1_000 }), (quoted, slippageBps) => {
        let uncertainties = quoted.onramp ? 1n : 0n;
        const holds = (least: string, amount: bigint) => {
          expect(BigInt(least)).toBeLessThanOrEqual(amount);
          const floor = amount * (10_000n - uncertainties * BigInt(slippageBps));
          expect(BigInt(least) * 10_000n).toBeGreaterThanOrEqual(floor);
          expect(BigInt(least)).toBeGreaterThan(0n);
        };
        const plan = paymentPlan(quoted, { ...terms, slippageBps });
        for (const [index, leg] of plan.legs.entries()) {
          const route = quoted.legs[index];
          const isExact = uncertainties === 0n;
          expect(BigInt(leg.max_input) === BigInt(leg.input_amount)).toBe(
            isExact || BigInt(leg.input_amount) < 20n,
          );
          if (route?.venue) uncertainties += 1n;
          holds(leg.min_output, BigInt(leg.output_amount));
          if (leg.bridge) {
            const least = route?.bridge?.minDelivered ?? 0n;
            expect(BigInt(leg.bridge.min_bridged)).toBeLessThanOrEqual(least);
            const floor = least * (10_000n - BigInt(slippageBps));
            expect(BigInt(leg.bridge.min_bridged) * 10_000n).toBeGreaterThanOrEqual(floor);
            uncertainties += 1n;
            expect(plan.legs[index + 1]?.input_amount).toBe(leg.bridge.delivered_amount);
          }
          expect(leg.bridge !== undefined).toBe(index + 1 < plan.legs.length);
        }
      }),
    );
  });
});
