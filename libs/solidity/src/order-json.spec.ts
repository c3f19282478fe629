import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { getAddress } from 'viem';
import { MalformedJsonError, type Order, orderId, parseOrder, serializeOrder } from './index.js';

const address = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes) => getAddress(`0x${Buffer.from(bytes).toString('hex')}`));
const integer = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });
const anOrder: fc.Arbitrary<Order> = fc.record({
  wallet: address,
  owner: address,
  originChainId: integer,
  inputToken: address,
  inputAmount: integer,
  destinationChainId: integer,
  outputToken: address,
  recipient: address,
  minimum: integer,
  nonce: integer,
  fillDeadline: integer,
  expires: integer,
  oracle: address,
});

const ESCROW = '0x00000000000000000000000000000000000000e5';
const [sample] = fc.sample(anOrder, { numRuns: 1, seed: 1 });
if (!sample) throw new Error('no sample');
const serialized = serializeOrder(sample);

describe('an order as JSON', () => {
  it('survives a round trip with the same id', () => {
    fc.assert(
      fc.property(anOrder, (order) => {
        const parsed = parseOrder(JSON.parse(JSON.stringify(serializeOrder(order))));
        expect(parsed).toEqual(order);
        expect(orderId(parsed, ESCROW)).toBe(orderId(order, ESCROW));
      }),
    );
  });

  it('does not depend on the case of addresses', () => {
    expect(parseOrder({ ...serialized, wallet: serialized.wallet.toLowerCase() })).toEqual(sample);
  });

  it.each([
    ['nothing', null],
    ['a list', [serialized]],
    ['a missing key', { ...serialized, oracle: undefined }],
    ['an unknown key', { ...serialized, escrow: ESCROW }],
    ['a name of another spelling', { ...serialized, fillDeadline: '1' }],
    ['a wrong checksum', { ...serialized, owner: '0xF39fd6e51aad88F6F4ce6aB8827279cffFb92266' }],
    ['a number for an integer', { ...serialized, nonce: 1 }],
    ['a negative integer', { ...serialized, minimum: '-1' }],
    ['more than 256 bits', { ...serialized, input_amount: (2n ** 256n).toString() }],
  ])('is refused: %s', (_, json) => {
    expect(() => parseOrder(json)).toThrow(MalformedJsonError);
  });
});
