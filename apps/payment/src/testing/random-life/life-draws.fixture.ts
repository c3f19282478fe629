import fc from 'fast-check';

const UNIT = 1_000_000n;
const UNITS = [UNIT / 100n, 40n * UNIT, 60n * UNIT, 100n * UNIT, 100n * UNIT, 150n * UNIT];

const token = fc.constantFrom(
  'asked' as const,
  'asked' as const,
  'asked' as const,
  'other' as const,
);

const sender = fc.constantFrom('owner' as const, 'owner' as const, 'stranger' as const);

/** Money that somebody sends to a payment's wallet. */
export const depositCall = fc.record({ token, amount: fc.constantFrom(...UNITS), sender });

/** Newest blocks that others replace; their transactions come later, or are lost. */
export const reorganisedBlocks = fc.record({
  depth: fc.integer({ min: 1, max: 2 }),
  isLost: fc.boolean(),
});

/** A withdrawal that the owner signs. */
export const ownerWish = fc.record({
  token,
  isHalf: fc.boolean(),
  acceptBlame: fc.boolean(),
  isFromOutside: fc.boolean(),
});

/** An event of the withdrawal service: in any order, and more than once. */
export const eventDelivery = fc.record({ index: fc.nat(5), isRepeated: fc.boolean() });

/** A screening source's change of its list. */
export const listing = fc.record({ sender, isListed: fc.boolean() });
