import { describe, expect, it } from '@jest/globals';
import { formatOrderReference, parseOrderReference } from './order-reference.js';

const orderId = `0x${'a1'.repeat(32)}` as const;

describe("the reference of an order's transaction", () => {
  it.each(['fill', 'claim'] as const)('survives formatting and parsing: %s', (kind) => {
    const reference = { kind, orderId, attempt: 12 };
    expect(parseOrderReference(formatOrderReference(reference))).toEqual(reference);
  });

  it.each([
    'allowance:alphanet:0x00000000000000000000000000000000000000a1:1',
    'fill:alphanet:0x00000000000000000000000000000000000000a1:7',
    `fill:${orderId}`,
    `fill:${orderId}:0`,
  ])('is not parsed from: %s', (reference) => {
    expect(parseOrderReference(reference)).toBeNull();
  });
});
