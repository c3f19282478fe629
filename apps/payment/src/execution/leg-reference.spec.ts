import { describe, expect, it } from '@jest/globals';
import { formatLegReference, parseLegReference } from './leg-reference.js';

describe('the reference of a leg attempt', () => {
  it('contains payment, leg and attempt', () => {
    const leg = { paymentId: '01a1fe2b-9eee-71ba-89f8-94f604a2359e', legIndex: 1, attempt: 12 };
    expect(parseLegReference(formatLegReference(leg))).toEqual(leg);
  });

  it('is not parsed from other references', () => {
    expect(parseLegReference('fill:alphanet:0x00:7')).toBeNull();
    expect(parseLegReference('withdrawal:01a1fe2b-9eee-71ba-89f8-94f604a2359e')).toBeNull();
  });
});
