import { describe, expect, it } from '@jest/globals';
import { encodeFunctionData, parseAbi, zeroAddress, type Address } from 'viem';
import { spendsOnly } from './allowance-holder-call.js';

const TOKEN: Address = '0x00000000000000000000000000000000000000aa';
const OTHER: Address = '0x00000000000000000000000000000000000000bb';
const abi = parseAbi([
  'function exec(address operator, address token, uint256 amount, address target, bytes data)',
  'function transferFrom(address token, address owner, address recipient, uint256 amount)',
]);
const exec = (token: Address, amount: bigint) =>
  encodeFunctionData({ abi, functionName: 'exec', args: [OTHER, token, amount, OTHER, '0x'] });

describe('spendsOnly', () => {
  const spent = { token: TOKEN, amount: 5n };

  it('accepts a call that lets the operator take at most the input', () => {
    expect(spendsOnly(exec(TOKEN, 5n), spent)).toBe(true);
    expect(spendsOnly(exec(TOKEN, 4n), spent)).toBe(true);
    expect(spendsOnly(exec(OTHER, 9n), { token: zeroAddress, amount: 5n })).toBe(true);
  });

  it('refuses more, another token, another function and no call', () => {
    const transfer = encodeFunctionData({
      abi,
      functionName: 'transferFrom',
      args: [TOKEN, OTHER, OTHER, 5n],
    });
    for (const data of [exec(TOKEN, 6n), exec(OTHER, 5n), transfer, '0x', '0x2213bc0b'] as const) {
      expect(spendsOnly(data, spent)).toBe(false);
    }
  });
});
