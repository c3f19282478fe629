import type { TokenIdentifier } from '@bascule/contracts';
import { describe, expect, it } from '@jest/globals';
import { known, ramp, token } from '../testing/a-routing-world.fixture.js';
import { answerable } from './answerable.js';

const USDC = token('alphanet', '1');
const FOREIGN = token('betanet', '1');
const [NATIVE, FOREIGN_NATIVE]: TokenIdentifier[] = ['alphanet:0x', 'betanet:0x'];
const input = {
  tokens: known(USDC, FOREIGN),
  ramps: [ramp('swift', 'usd', USDC), ramp('swift', 'eur', USDC)],
  lanes: [],
  conversions: [],
};
const left = (priced: string[], chains: string[]) => {
  const { tokens, ramps } = answerable(input, { priced: new Set(priced), chains: new Set(chains) });
  return [...tokens.map(({ id }) => id), ...ramps.map(({ fiat }) => fiat)];
};
const CHAINS = ['alphanet', 'betanet'];
const PRICED = [USDC, FOREIGN, NATIVE, FOREIGN_NATIVE, 'usd', 'eur'].flatMap((each) => each ?? []);
const without = (asset: string | undefined) => PRICED.filter((each) => each !== asset);

describe('answerable', () => {
  it('keeps what can be quoted', () => {
    expect(left(PRICED, CHAINS)).toEqual([USDC, FOREIGN, 'usd', 'eur']);
  });

  it('drops what has no price, and all of a chain whose gas has none', () => {
    expect(left(without(FOREIGN), CHAINS)).toEqual([USDC, 'usd', 'eur']);
    expect(left(without('eur'), CHAINS)).toEqual([USDC, FOREIGN, 'usd']);
    expect(left(without(NATIVE), CHAINS)).toEqual([FOREIGN, 'usd', 'eur']);
  });

  it('drops chains that have not said what they convert', () => {
    expect(left(PRICED, ['betanet'])).toEqual([FOREIGN, 'usd', 'eur']);
  });
});
