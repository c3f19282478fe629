import { describe, expect, it } from '@jest/globals';
import { formatLegReference, parseLegReference } from './leg-reference.js';
import {
  formatWalletRefundReference,
  parseWalletRefundReference,
} from './wallet-refund-reference.js';

const about = { paymentId: '01a1fe2b-9eee-71ba-89f8-94f604a2359e', legIndex: 1, attempt: 12 };

describe('the reference of a refund to the wallet', () => {
  it('contains payment, leg and attempt', () => {
    expect(parseWalletRefundReference(formatWalletRefundReference(about))).toEqual(about);
  });

  it('differs from that of a leg', () => {
    expect(parseWalletRefundReference(formatLegReference(about))).toBeNull();
    expect(parseLegReference(formatWalletRefundReference(about))).toBeNull();
  });
});
