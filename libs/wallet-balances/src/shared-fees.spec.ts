import { describe, expect, it } from '@jest/globals';
import { sharedFees } from './shared-fees.js';
import type { ChargedToken } from './shared-fees.js';
import { withdrawalFee } from './withdrawal-fee.js';
import { furtherTokenGas, withdrawalGas } from './withdrawal-gas.js';

const gasPrice = 1_000_000_000n;
const native = { decimals: 18, usd: '3000' };
const gasOf = ({ isNative }: { isNative: boolean }) =>
  withdrawalGas({ isNative, isDeployed: false });
const cost = { gasPrice, gasOf, native };
const usdc = { id: 'usdc', decimals: 6, isNative: false, amount: 50_000_000n, usd: '1' };
const usdt = { ...usdc, id: 'usdt', amount: 20_000_000n };
const ether = { id: 'eth', decimals: 18, isNative: true, amount: 10n ** 15n, usd: '3000' };
const unpriced = { id: 'new', decimals: 18, isNative: false, amount: 7n };

const alone = (token: ChargedToken<string>) => sharedFees([token], cost).fees.get(token.id);
const charged = (gas: bigint, token: { decimals: number; usd: string }) =>
  withdrawalFee({ gasPrice, gas, native }, token);

describe('the fees of one withdrawal', () => {
  it('are the cost of the whole transaction for a single token', () => {
    const gas = withdrawalGas({ isNative: false, isDeployed: false });
    expect(alone(usdc)).toBe(charged(gas, usdc));
  });

  it('charge the shared cost to the most valuable token, in any order', () => {
    const expected = { usdc: alone(usdc), usdt: charged(furtherTokenGas(usdt), usdt) };
    for (const tokens of [
      [usdc, usdt],
      [usdt, usdc],
    ]) {
      expect(Object.fromEntries(sharedFees(tokens, cost).fees)).toEqual(expected);
    }
  });

  it('are at most the single fee for each token, and less in total', () => {
    const tokens = [usdc, usdt, ether];
    const { fees } = sharedFees(tokens, cost);
    for (const token of tokens) {
      expect(fees.get(token.id) ?? 0n).toBeLessThanOrEqual(alone(token) ?? 0n);
    }
    expect(fees.get('usdt')).toBeLessThan(alone(usdt) ?? 0n);
    expect(fees.get('eth')).toBeLessThan(alone(ether) ?? 0n);
  });

  it('are zero for a token without a price, whose part another token pays', () => {
    expect(alone(unpriced)).toBe(0n);
    const gas = withdrawalGas({ isNative: false, isDeployed: false }) + furtherTokenGas(unpriced);
    expect(Object.fromEntries(sharedFees([unpriced, usdc], cost).fees)).toEqual({
      new: 0n,
      usdc: charged(gas, usdc),
    });
  });

  it('are charged in native currency while it has no price', () => {
    const unknown = { ...cost, native: { decimals: 18 } };
    const gas = withdrawalGas({ isNative: true, isDeployed: false }) + furtherTokenGas(usdc);
    expect(Object.fromEntries(sharedFees([usdc, ether], unknown).fees)).toEqual({
      usdc: 0n,
      eth: gas * gasPrice,
    });
    expect(sharedFees([usdc], unknown).fees.get('usdc')).toBe(0n);
  });

  it('repay the gas of the whole transaction in wei, whichever tokens bear it', () => {
    const gas = withdrawalGas({ isNative: false, isDeployed: false });
    const further = furtherTokenGas(usdt);
    const repaid = (...tokens: ChargedToken<string>[]) => sharedFees(tokens, cost).repaidWei;
    expect(repaid(usdc)).toBe(gas * gasPrice);
    expect(repaid(usdc, usdt)).toBe((gas + further) * gasPrice);
    expect(repaid(unpriced, usdc)).toBe((gas + further) * gasPrice);
    expect(repaid(unpriced)).toBe(0n);
  });

  it('charge the data fee of a rollup once, to the most valuable token', () => {
    const dataFee = 10n ** 14n;
    const plain = sharedFees([usdc, usdt], cost);
    const rollup = sharedFees([usdc, usdt], { ...cost, dataFee });
    expect(rollup.fees.get('usdt')).toBe(plain.fees.get('usdt'));
    expect((rollup.fees.get('usdc') ?? 0n) - (plain.fees.get('usdc') ?? 0n)).toBe(300_000n);
    expect(rollup.repaidWei - plain.repaidWei).toBe(dataFee);
  });

  it('repay the gas unless no token has a price that it is charged in', () => {
    const withoutNative = { ...cost, native: { decimals: 18 } };
    const isGasRepaid = (...[tokens, at]: Parameters<typeof sharedFees<string>>) =>
      sharedFees(tokens, at).isGasRepaid;
    expect(isGasRepaid([unpriced, usdc], cost)).toBe(true);
    expect(isGasRepaid([usdc, ether], withoutNative)).toBe(true);
    expect(isGasRepaid([unpriced], cost)).toBe(false);
    expect(isGasRepaid([usdc, usdt], withoutNative)).toBe(false);
    expect(isGasRepaid([unpriced], { ...cost, gasPrice: 0n })).toBe(true);
  });
});
