import { describe, expect, it } from '@jest/globals';
import type { KnownAsset } from '../routes/known-asset.js';
import { customActionProblems } from './custom-action-problems.js';

const USDC = 'alphanet:0x00000000000000000000000000000000000000c0' as const;
const NATIVE = 'alphanet:0x' as const;
const TARGET = '0x1000000000000000000000000000000000000001';
const CONVERTER = '0x1000000000000000000000000000000000000002';
const tokenOf = (id: typeof USDC | typeof NATIVE): [string, KnownAsset] => [
  id,
  { kind: 'token', id, symbol: 'T', decimals: 6, chain: 'alphanet' },
];
const rules = {
  assets: new Map([tokenOf(USDC), tokenOf(NATIVE)]),
  ownContracts: (chain: string) =>
    chain === 'alphanet' ? [{ name: 'converter', address: CONVERTER } as const] : [],
  maxActionGas: 1_000n,
};
const action = (rest: object = {}) => ({
  type: 'CallImmediateAction',
  target: TARGET,
  value: '0',
  calldata: '0x12345678',
  ...rest,
});
const problems = (actions: unknown, rest: object = {}, gas: unknown = '1000') =>
  customActionProblems(
    {
      request: {
        kind: 'FIXED_INPUT',
        output_asset: USDC,
        custom_actions: { actions, user_estimated_gas: gas },
        ...rest,
      },
    },
    rules,
  ).map(({ path }) => path.slice(2).join('.'));
const native = { output_asset: NATIVE };
const bytes = (count: number) => `0x${'ab'.repeat(count)}`;

describe('problems of custom actions', () => {
  it('are none for calls within the limits', () => {
    expect(problems([action(), action({ calldata: '0x' })])).toEqual([]);
    expect(problems([action({ value: '7' })], native)).toEqual([]);
    expect(
      problems([action({ calldata: bytes(16 * 1024) }), action({ calldata: bytes(16 * 1024) })]),
    ).toEqual([]);
    expect(problems([])).toEqual([]);
    expect(customActionProblems({}, rules)).toEqual([]);
  });

  it.each<[string, unknown[], object, string]>([
    [
      'more than 32 KiB of calldata',
      [action({ calldata: bytes(32 * 1024) }), action()],
      {},
      'actions',
    ],
    [
      'a target of our own, in any letter case',
      [action(), action({ target: CONVERTER.toUpperCase().replace('X', 'x') })],
      {},
      'actions.1.target',
    ],
    ['a value without native output', [action({ value: '1' })], {}, 'actions.0.value'],
    [
      'calldata without a whole selector',
      [action({ calldata: '0x1234' })],
      {},
      'actions.0.calldata',
    ],
    ['a value above 256 bits', [action({ value: '9'.repeat(78) })], native, 'actions.0.value'],
    [
      'values above a fixed output',
      [action({ value: '1500000' }), action({ value: '1500001' })],
      { kind: 'FIXED_OUTPUT', fixed_output_amount: { asset: NATIVE, amount: '3' } },
      'actions',
    ],
  ])('name %s', (_, actions, rest, path) => {
    expect(problems(actions, rest)).toEqual([path]);
  });

  it('accept values that are exactly the fixed output', () => {
    const fixed = { kind: 'FIXED_OUTPUT', fixed_output_amount: { asset: NATIVE, amount: '3' } };
    expect(problems([action({ value: '3000000' })], fixed)).toEqual([]);
  });

  it('name gas above the maximum', () => {
    expect(problems([action()], {}, '1001')).toEqual(['user_estimated_gas']);
  });

  it('are all reported at once', () => {
    expect(
      problems(
        [action({ value: '1', calldata: '0x12' }), action({ target: CONVERTER })],
        {},
        '1001',
      ),
    ).toEqual(['actions.0.calldata', 'actions.1.target', 'actions.0.value', 'user_estimated_gas']);
  });

  it('leave malformed fields to the schema check', () => {
    expect(problems('none')).toEqual([]);
    expect(
      problems([null, 7, action({ target: 5, value: -1, calldata: 'zz' })], {}, 'much'),
    ).toEqual([]);
  });
});
