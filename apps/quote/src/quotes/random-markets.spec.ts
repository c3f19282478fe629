import {
  addDecimals,
  compareDecimals,
  maxAmount,
  parseAmount,
  subDecimals,
  valueOf,
  type Decimal,
} from '@bascule/amounts';
import type { PaymentPlan } from '@bascule/contracts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MAX_ROUNDS } from '../exact-output/input-search.js';
import { paymentPlan } from '../pricing/payment-plan.js';
import { routeSteps } from '../pricing/route-steps.js';
import { equalValue } from '../routes/amount.js';
import { depositOf, feesOf, outputOf, type PricedRoute } from '../routes/quoted-route.js';
import { sourceCaches } from '../routes/request-cache.js';
import { converts } from '../routes/route.js';
import { addressesOf, marketOf, someTerms, type Market } from '../testing/random-market.fixture.js';
import type { FixedAmount } from './requested-amount.js';

/** `npm run prove -- quotes` tries more markets than the gate. */
const isLong = process.env['PROVE_LONG'] === '1';
const RUNS = isLong ? 100_000 : 2_000;
const TIMEOUT_MS = isLong ? 3_600_000 : 180_000;

async function quoted({ quoter, route, context }: Market, fixed: FixedAmount) {
  const {
    quoted: [found],
    failures,
  } = await quoter.quoteAll([route], fixed, { ...context, caches: sourceCaches() }, true);
  const [failure] = failures;
  const isUnexpected = failure?.failure.issues.some(({ kind }) => kind === 'unknown');
  if (isUnexpected) throw failure?.failure.cause;
  return found ?? JSON.stringify(failure?.failure.issues);
}

const forInput = (market: Market, units: bigint) =>
  quoted(market, { side: 'input', input: { ...market.input, units } });

const planOf = ({ context: { slippageBps } }: Market, route: PricedRoute): PaymentPlan =>
  paymentPlan(route, {
    ...{ slippageBps, deliverySlippageBps: slippageBps },
    ...{ surplusBps: 500, feeReceiver: '0xfee' },
  });

const leastOf = (market: Market, route: PricedRoute): bigint =>
  BigInt(planOf(market, route).legs.at(-1)?.min_output ?? 0);

const signed = (text: string): Decimal =>
  text.startsWith('-') ? subDecimals('0', text.slice(1)) : addDecimals(text);

/** Fails unless every unit that enters a step leaves it, and the fees are the value that is lost. */
function expectConserved(market: Market, route: PricedRoute): void {
  const { venue, bridge, onramp, context } = market;
  const { input } = route;
  const isExact = route.fixedOutput !== undefined && !route.onramp && route.legs.length === 1;
  const deposit = depositOf(route);
  expect(deposit.units).toBe(
    route.onramp ? onramp.delivered(deposit.asset, input.units) : input.units,
  );
  for (const [index, leg] of route.legs.entries()) {
    const way = market.route.legs[index];
    if (!way) throw new Error('a leg has no route');
    const rest = leg.input.units - feesOf(leg);
    const output = converts(way) ? venue.outputOf(leg.chain, addressesOf(way), rest) : rest;
    // A venue that was asked for an exact output may give a little more.
    if (isExact && converts(way)) expect(leg.output.units).toBeLessThanOrEqual(output);
    else expect(leg.output.units).toBe(output);
    const next = route.legs[index + 1];
    if (!next) continue;
    const { delivered } = leg.bridge ?? {};
    expect(delivered?.units).toBe(
      bridge.delivered(leg.output.asset, next.input.asset, leg.output.units),
    );
    expect(next.input.units).toBe(delivered?.units);
  }
  const value = ({ asset, decimals, units }: typeof input): Decimal =>
    valueOf(units, decimals, context.prices.priceOf(asset));
  const left = subDecimals(value(input), signed(route.fees.total_fees));
  const off = subDecimals(value(outputOf(route)), left);
  expect(compareDecimals(off, '0')).not.toBe(-1);
  expect(compareDecimals(off, '0.00000001')).toBe(-1);
}

/** Fails unless the shown steps consume as much of each asset as they produce, but for what is converted. */
function expectBalancedSteps({ route: { legs }, context }: Market, route: PricedRoute): void {
  const decimalsOf = (asset: string): number => context.assets.get(asset)?.decimals ?? 0;
  for (const [index, { net_effect }] of routeSteps(route).slice(1).entries()) {
    const sums = new Map<string, bigint>();
    const add =
      (sign: bigint) =>
      ({ resource: { asset }, amount }: (typeof net_effect.consume)[number]) => {
        const units = parseAmount(amount, decimalsOf(asset));
        sums.set(asset, (sums.get(asset) ?? 0n) + sign * units);
      };
    net_effect.consume.forEach(add(1n));
    net_effect.produce.forEach(add(-1n));
    const [leg, quotedLeg] = [legs[index], route.legs[index]];
    if (!leg || !quotedLeg) throw new Error('a step has no leg');
    for (const [asset, sum] of sums) {
      if (!converts(leg)) expect([asset, sum]).toEqual([asset, 0n]);
      else if (asset === leg.inputToken)
        expect(sum).toBe(quotedLeg.input.units - feesOf(quotedLeg));
    }
  }
}

/** Fails unless the least deposit, of which all fees fall in proportion, reaches every declared minimum. */
function expectExecutable(market: Market, route: PricedRoute): void {
  const { venue, bridge } = market;
  const plan = planOf(market, route);
  let arrived = BigInt(plan.deposit.required_amount);
  for (const [index, leg] of plan.legs.entries()) {
    const [way, next] = [market.route.legs[index], plan.legs[index + 1]];
    if (!way) throw new Error('a leg has no route');
    const planned = BigInt(leg.input_amount);
    const fees = leg.fees.map(({ amount }) => (BigInt(amount) * arrived) / planned);
    const rest = fees.reduce((left, fee) => left - fee, arrived);
    const output = converts(way) ? venue.outputOf(leg.chain, addressesOf(way), rest) : rest;
    expect(output).toBeGreaterThanOrEqual(BigInt(leg.min_output));
    if (!next || !leg.bridge) continue;
    arrived = bridge.delivered(leg.output_token, next.input_token, output);
    expect(arrived).toBeGreaterThanOrEqual(BigInt(leg.bridge.min_bridged));
  }
}

/**
 * Accepted distance from the least input: 0.1 %, or what one unit of the output costs, or two units of the input: onramps
 * round their fees, so that neighbouring inputs may yield the same.
 */
function toleranceOf({ context: { prices }, input }: Market, route: PricedRoute): bigint {
  const oneUnit = equalValue({ ...outputOf(route), units: 1n }, input, prices, 'up');
  return maxAmount(route.input.units / 1_000n, maxAmount(oneUnit, 2n));
}

describe('quotes in random markets', () => {
  it(
    'conserve value, fix outputs for the least input, and are executable with the least deposit',
    async () => {
      const tried = { markets: 0, quoted: 0 };
      await fc.assert(
        fc.asyncProperty(someTerms, async (terms) => {
          const usual = marketOf(terms);
          tried.markets += 1;
          const { input } = usual;
          const given = await forInput(usual, input.units);
          // Fees take more than half, or the pools are too small for the amount.
          if (typeof given === 'string') return;
          // A slightly smaller input may exceed the accepted share of fees.
          const market = { ...usual, context: { ...usual.context, maxFeeBps: 10_000 } };
          tried.quoted += 1;
          expectConserved(market, given);
          expectBalancedSteps(market, given);
          expectExecutable(market, given);

          const fixed = leastOf(market, given);
          const output = { ...outputOf(given), units: fixed };
          const before = market.onramp.requests;
          const exact = await quoted(market, { side: 'output', input, output });
          if (typeof exact === 'string') throw new Error(exact);
          expect(market.onramp.requests - before).toBeLessThanOrEqual(MAX_ROUNDS);
          expect(leastOf(market, exact)).toBe(fixed);
          expect(outputOf(exact).units).toBeGreaterThanOrEqual(fixed);
          expectConserved(market, exact);
          expectBalancedSteps(market, exact);
          expectExecutable(market, exact);

          const { units } = exact.input;
          // The given input yields as much, so the least one is not above it.
          expect(units).toBeLessThanOrEqual(input.units + toleranceOf(market, exact));
          const again = await forInput(market, units);
          if (typeof again === 'string') throw new Error(again);
          expect(outputOf(again).units).toBeGreaterThanOrEqual(fixed);
          expect(leastOf(market, again)).toBeGreaterThanOrEqual(fixed);
          const smaller = await forInput(market, units - toleranceOf(market, exact) - 1n);
          if (typeof smaller !== 'string') expect(leastOf(market, smaller)).toBeLessThan(fixed);
        }),
        // Shrinking takes longer than the test may.
        { numRuns: RUNS, endOnFailure: true },
      );
      expect(tried.quoted).toBeGreaterThan(tried.markets / 2);
    },
    TIMEOUT_MS,
  );
});
