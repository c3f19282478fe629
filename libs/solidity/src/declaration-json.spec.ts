import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { getAddress, type Hex } from 'viem';
import {
  bytes16ToUuid,
  type Declaration,
  MalformedJsonError,
  parseDeclaration,
  serializeDeclaration,
  uuidToBytes16,
} from './index.js';

const hex = (bytes: number) =>
  fc
    .uint8Array({ minLength: bytes, maxLength: bytes })
    .map((array): Hex => `0x${Buffer.from(array).toString('hex')}`);
const address = hex(20).map((value) => getAddress(value));
const amount = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });
const call = fc.record({
  target: address,
  data: fc.nat(40).chain(hex),
  value: amount,
});
const leg = fc.record({
  chainId: amount,
  inputToken: address,
  maxInput: amount,
  fees: fc.array(fc.record({ receiver: address, cap: amount }), { maxLength: 3 }),
  outputToken: address,
  minOutput: amount,
  customCalls: fc.array(call, { maxLength: 3 }),
  bridgeAdapter: address,
  minBridged: amount,
});
const aDeclaration: fc.Arbitrary<Declaration> = fc.record({
  factory: address,
  paymentId: hex(16),
  owner: address,
  executor: address,
  destination: address,
  expiry: amount,
  legs: fc.uniqueArray(leg, { minLength: 1, maxLength: 3, selector: ({ chainId }) => chainId }),
});

const [sample] = fc.sample(aDeclaration, { numRuns: 1, seed: 1 });

function serialized(): Record<string, unknown> {
  if (!sample) throw new Error('no sample');
  return { ...serializeDeclaration(sample) };
}

function withLeg(change: Record<string, unknown>): Record<string, unknown> {
  const json = serialized();
  const [first] = json.legs as object[];
  return { ...json, legs: [{ ...first, ...change }] };
}

describe('a declaration as JSON', () => {
  it('survives a round trip', () => {
    fc.assert(
      fc.property(aDeclaration, (declaration) => {
        const text = JSON.stringify(serializeDeclaration(declaration));
        expect(parseDeclaration(JSON.parse(text))).toEqual(declaration);
      }),
    );
  });

  it('does not depend on the case of addresses', () => {
    const json = serialized();
    const lower = { ...json, owner: String(json.owner).toLowerCase() };
    expect(parseDeclaration(lower)).toEqual(sample);
  });

  it.each([
    ['not an object', null],
    ['a list', []],
    ['text', '{}'],
    ['a missing key', { ...serialized(), owner: undefined }],
    ['an unknown key', { ...serialized(), extra: 1 }],
    ['a wrong checksum', { ...serialized(), owner: '0xF39fd6e51aad88F6F4ce6aB8827279cffFb92266' }],
    ['a short address', { ...serialized(), owner: '0x12' }],
    ['a number for an integer', { ...serialized(), expiry: 1800000000 }],
    ['a negative integer', { ...serialized(), expiry: '-1' }],
    ['a leading zero', { ...serialized(), expiry: '01' }],
    ['a fraction', { ...serialized(), expiry: '1.0' }],
    ['a hexadecimal integer', { ...serialized(), expiry: '0x1' }],
    ['more than 256 bits', { ...serialized(), expiry: (2n ** 256n).toString() }],
    ['a payment id that is no UUID', { ...serialized(), payment_id: '0x00' }],
    ['no legs', { ...serialized(), legs: [] }],
    ['legs that are no list', { ...serialized(), legs: {} }],
    ['an unknown key in a leg', withLeg({ pool: '0x' })],
    ['a fee without a cap', withLeg({ fees: [{ receiver: serialized().owner }] })],
    [
      'half a byte of data',
      withLeg({ custom_calls: [{ target: serialized().owner, data: '0x1', value: '0' }] }),
    ],
  ])('is refused: %s', (_, json) => {
    expect(() => parseDeclaration(json)).toThrow(MalformedJsonError);
  });

  it('is refused with two legs on one chain', () => {
    const json = serialized();
    const [first] = json.legs as object[];
    expect(() => parseDeclaration({ ...json, legs: [first, first] })).toThrow(/one leg/);
  });

  it('names the place of the mistake', () => {
    expect(() => parseDeclaration(withLeg({ max_input: 'x' }))).toThrow(
      'declaration.legs[0].max_input: expected an unsigned integer as a decimal string',
    );
  });
});

describe('a UUID as 16 bytes', () => {
  it('survives a round trip', () => {
    fc.assert(
      fc.property(hex(16), (bytes) => {
        expect(uuidToBytes16(bytes16ToUuid(bytes))).toBe(bytes);
      }),
    );
  });

  it('refuses anything else', () => {
    expect(() => uuidToBytes16('0190B2C3-d4e5-7f60-a1b2-c3d4e5f60718')).toThrow(RangeError);
    expect(() => uuidToBytes16('0190b2c3')).toThrow(RangeError);
    expect(() => bytes16ToUuid('0x00')).toThrow(RangeError);
  });
});
