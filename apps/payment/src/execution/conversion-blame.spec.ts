import { describe, expect, it } from '@jest/globals';
import { zeroAddress } from 'viem';
import { isQuoteRefuted, isRevertOfConversion, leastOutput } from './conversion-blame.js';

const ADDRESS = `0x${'1'.repeat(40)}` as const;
const leg = {
  ...{ bridgeAdapter: zeroAddress, customCalls: [], minOutput: 994n, outputToken: ADDRESS },
} as const;
const blamed = (declared: Parameters<typeof isQuoteRefuted>[0], quoted = 1_000n) => [
  isQuoteRefuted(declared, quoted),
  isRevertOfConversion(declared, quoted),
];

describe('a conversion', () => {
  it('accepts half a percent less than its quote', () => {
    expect(leastOutput(1_000n)).toBe(995n);
  });

  it('is to blame where nothing else can have failed', () => {
    expect(blamed(leg)).toEqual([true, true]);
  });

  it('is not to blame where the declared minimum is as close to the price', () => {
    expect(blamed({ ...leg, minOutput: 995n })).toEqual([false, false]);
  });

  it('is not to blame where custom calls or a recipient of native currency may have failed', () => {
    const customCalls = [{ target: ADDRESS, value: 0n, data: '0x' as const }];
    expect(blamed({ ...leg, customCalls })).toEqual([false, false]);
    expect(blamed({ ...leg, outputToken: zeroAddress })).toEqual([false, false]);
  });

  it('is not to blame for a transaction that its bridge may have reverted', () => {
    expect(blamed({ ...leg, bridgeAdapter: ADDRESS })).toEqual([true, false]);
  });
});
