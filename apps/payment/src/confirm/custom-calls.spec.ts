import { describe, expect, it } from '@jest/globals';
import { maxUint256 } from 'viem';
import { CustomActionError, customCalls } from './custom-calls.js';

const TARGET = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
const action = (overrides: object) => ({
  actions: [
    {
      type: 'CallImmediateAction' as const,
      target: TARGET,
      value: '0',
      calldata: '0x12345678',
      ...overrides,
    },
  ],
  user_estimated_gas: '1',
});

describe('customCalls', () => {
  it('converts actions to calls', () => {
    expect(customCalls(undefined)).toEqual([]);
    expect(customCalls(action({ target: TARGET.toLowerCase(), value: '7' }))).toEqual([
      { target: TARGET, data: '0x12345678', value: 7n },
    ]);
    expect(customCalls(action({ calldata: '0x' }))).toHaveLength(1);
    expect(customCalls(action({ value: String(maxUint256) }))).toHaveLength(1);
  });

  it.each([
    ['calldata that is no hex', { calldata: '0x12345g78' }],
    ['half a byte of calldata', { calldata: '0x123456789' }],
    ['calldata without 0x', { calldata: '12345678' }],
    ['half a selector', { calldata: '0x1234' }],
    ['a target that is no address', { target: '0x12' }],
    ['a target with a wrong checksum', { target: TARGET.replace('F', 'f') }],
    ['the zero address', { target: `0x${'0'.repeat(40)}` }],
    ['a precompile', { target: `0x${'0'.repeat(39)}2` }],
    ['a negative value', { value: '-1' }],
    ['a value with decimals', { value: '1.5' }],
    ['no value', { value: '' }],
    ['a value above uint256', { value: String(maxUint256 + 1n) }],
  ])('refuses %s', (_, overrides) => {
    expect(() => customCalls(action(overrides))).toThrow(CustomActionError);
  });
});
