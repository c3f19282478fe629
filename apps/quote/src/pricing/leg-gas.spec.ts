import { describe, expect, it } from '@jest/globals';
import { legGas as gasOfLeg, legGasLimit, type PartsGas } from './leg-gas.js';

describe('legGas', () => {
  it('adds the conversion, the bridge and further fees to a transfer', () => {
    const legGas = (parts: Omit<PartsGas, 'businessFees'>) =>
      gasOfLeg({ ...parts, businessFees: 0 });
    expect(legGas({ conversion: null, bridge: null })).toBe(200_000n);
    expect(legGas({ conversion: 90_000n, bridge: null })).toBe(300_000n);
    expect(legGas({ conversion: null, bridge: 50_000n })).toBe(250_000n);
    expect(legGas({ conversion: 90_000n, bridge: 50_000n })).toBe(350_000n);
    expect(gasOfLeg({ conversion: null, bridge: null, businessFees: 2 })).toBe(280_000n);
  });
});

describe('legGasLimit', () => {
  it('has room for more than is charged', () => {
    expect(legGasLimit(200_000n)).toBe(500_000n);
  });
});
