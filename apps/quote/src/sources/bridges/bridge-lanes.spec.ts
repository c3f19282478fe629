import { tokenIdentifier } from '@bascule/contracts';
import { describe, expect, it } from '@jest/globals';
import { lanesOf } from './bridge-lanes.js';

const token = `0x${'1'.repeat(40)}`;
const way = {
  origin: 'alphanet',
  destination: 'betanet',
  inputToken: tokenIdentifier('alphanet', token),
  outputToken: tokenIdentifier('betanet', token),
};

describe('lanesOf', () => {
  it('has each way once', () => {
    const { inputToken, outputToken } = way;
    expect(lanesOf('escrow', [way, way])).toEqual([{ bridge: 'escrow', inputToken, outputToken }]);
  });

  it('leaves out what no wallet hands to a bridge', () => {
    const impossible = [
      { ...way, destination: 'alphanet', outputToken: way.inputToken },
      { ...way, inputToken: 'alphanet:0x' as const },
      { ...way, outputToken: 'betanet:0x' as const },
      { ...way, origin: 'gammanet' },
    ];
    expect(lanesOf('escrow', impossible)).toEqual([]);
  });
});
