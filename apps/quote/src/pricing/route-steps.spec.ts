import { parseAmount } from '@bascule/amounts';
import type { RouteChange } from '@bascule/contracts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  aQuotedRoute,
  bridged,
  convertedTwice,
  FOREIGN_NATIVE,
  FOREIGN_USDC,
  onramp,
  swap,
  transfer,
  USDC,
  WETH,
} from '../testing/quoted-route.fixture.js';
import type { Amount } from '../routes/amount.js';
import { depositOf, feesOf, outputOf } from '../routes/quoted-route.js';
import { routeSteps } from './route-steps.js';

const short = (changes: readonly RouteChange[] = []) =>
  changes.map(({ account, resource, amount }) => [account, resource.asset, amount]);

const ACCOUNTS = ['USER', 'DEST', 'SPW', 'BRIDGE', 'REV_SHARE', 'SERVICE'];

function total(changes: readonly RouteChange[], asset: string, account?: string): bigint {
  return changes
    .filter((each) => each.resource.asset === asset && (account ?? each.account) === each.account)
    .reduce((sum, { amount }) => sum + parseAmount(amount, 30), 0n);
}

describe('routeSteps', () => {
  it('names the source of the deposit', () => {
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

  it('shows a conversion from the wallet to the destination', () => {
    const effect = routeSteps(swap)[1]?.net_effect;
    expect(short(effect?.consume)).toEqual([['SPW', USDC, '10']]);
    expect(short(effect?.produce)).toEqual([
      ['DEST', WETH, '0.000000000004'],
      ['SERVICE', USDC, '1'],
    ]);
  });

  it('shows an intermediate token at the wallet and then at the bridge', () => {
    const effect = routeSteps(convertedTwice)[1]?.net_effect;
    expect(short(effect?.consume)).toEqual([
      ['SPW', WETH, '0.000000000004'],
      ['SPW', USDC, '9'],
      ['BRIDGE', FOREIGN_USDC, '8.9'],
    ]);
    expect(short(effect?.produce)).toEqual([
      ['SPW', USDC, '9'],
      ['BRIDGE', USDC, '9'],
      ['SPW', FOREIGN_USDC, '8.9'],
      ['SERVICE', WETH, '0.000000000000000009'],
    ]);
  });

  it('shows the bridge taking the output and giving the delivery', () => {
    const [, first, last] = routeSteps(bridged);
    expect(short(first?.net_effect.consume)).toEqual([
      ['SPW', USDC, '10'],
      ['BRIDGE', FOREIGN_USDC, '8.9'],
    ]);
    expect(short(first?.net_effect.produce)).toEqual([
      ['BRIDGE', USDC, '9'],
      ['SPW', FOREIGN_USDC, '8.9'],
      ['SERVICE', USDC, '1'],
    ]);
    expect(first?.pieces_info).toEqual([
      {
        type: 'bridge',
        chain: 'alphanet',
        to_chain: 'betanet',
        bridge: 'intent_escrow',
        from: USDC,
        to: FOREIGN_USDC,
      },
    ]);
    expect(short(last?.net_effect.consume)).toEqual([['SPW', FOREIGN_USDC, '8.9']]);
    expect(last).toMatchObject({
      type: 'ONCHAIN_STEP',
      pieces_info: [{ type: 'transfer_out', chain: 'betanet' }],
      step_index: 2,
    });
  });

  it('names the conversions before and after a bridge', () => {
    const pieces = routeSteps(convertedTwice).map(({ pieces_info }) =>
      pieces_info.map(({ type }) => type),
    );
    expect(pieces).toEqual([['user_fund'], ['convert', 'bridge'], ['convert', 'transfer_out']]);
  });

  it('conserves every asset in every step but the two of an onramp or conversion', () => {
    fc.assert(
      fc.property(aQuotedRoute, (quoted) => {
        for (const [index, { type, net_effect }] of routeSteps(quoted).entries()) {
          if (type === 'ONRAMP') continue;
          const { consume, produce } = net_effect;
          const leg = index > 0 ? quoted.legs[index - 1] : undefined;
          const scaled = ({ decimals }: Amount, units: bigint) =>
            units * 10n ** BigInt(30 - decimals);
          for (const asset of [USDC, WETH, FOREIGN_USDC, FOREIGN_NATIVE]) {
            const used = total(consume, asset) - total(produce, asset);
            if (leg?.venue && asset === leg.input.asset) {
              expect(used).toBe(scaled(leg.input, leg.input.units - feesOf(leg)));
            } else if (leg?.venue && asset === leg.output.asset) {
              expect(used).toBe(-scaled(leg.output, leg.output.units));
            } else {
              expect(used).toBe(0n);
            }
          }
          for (const { account } of [...consume, ...produce]) expect(ACCOUNTS).toContain(account);
        }
      }),
    );
  });

  it("consumes the previous step's wallet balance and pays out the output", () => {
    fc.assert(
      fc.property(aQuotedRoute, (quoted) => {
        const steps = routeSteps(quoted);
        expect(steps.map(({ step_index }) => step_index)).toEqual([...steps.keys()]);
        const inWallet = (changes: readonly RouteChange[] = []) =>
          changes.filter(({ account }) => account === 'SPW');
        for (const [index, { net_effect }] of steps.entries()) {
          const left = inWallet(steps[index - 1]?.net_effect.produce).at(-1);
          if (index > 0) expect(inWallet(net_effect.consume)[0]).toEqual(left);
        }
        expect(inWallet(steps[0]?.net_effect.produce)).toHaveLength(1);
        expect(total(steps[0]?.net_effect.produce ?? [], depositOf(quoted).asset)).toBe(
          depositOf(quoted).units * 10n ** BigInt(30 - depositOf(quoted).decimals),
        );
        const { asset, decimals, units } = outputOf(quoted);
        const paid = steps.at(-1)?.net_effect.produce ?? [];
        expect(total(paid, asset, 'DEST')).toBe(units * 10n ** BigInt(30 - decimals));
      }),
    );
  });
});
