import type { Chain, EndpointClient } from '@bascule/chain';
import { describe, expect, it } from '@jest/globals';
import { oneTimeWalletAbi } from '@bascule/solidity';
import {
  BaseError,
  encodeErrorResult,
  encodeFunctionData,
  encodeFunctionResult,
  multicall3Abi,
  zeroAddress,
} from 'viem';
import type { Hex } from 'viem';
import { refusingError } from './refusing-error.client.js';

const MULTICALL3 = '0xca11bde05977b3631167028862be2a173976ca11';
const WALLET = '0x00000000000000000000000000000000000000aa';
const BATCH = encodeFunctionData({
  abi: multicall3Abi,
  functionName: 'aggregate3',
  args: [[{ target: WALLET, allowFailure: false, callData: '0x' }]],
});

const used = encodeErrorResult({ abi: oneTimeWalletAbi, errorName: 'NonceAlreadyUsed' });
const wrong = encodeErrorResult({ abi: oneTimeWalletAbi, errorName: 'WrongSignature' });

class Revert extends BaseError {
  constructor(readonly data: Hex) {
    super('execution reverted');
  }
}

/** Node that reports this revert; null for one that is away, `0x` for one that reports none. */
const nodeWith = (revert: Hex | null) => ({
  call: async ({ to }: { to: string }) => {
    if (revert === null) throw new BaseError('away');
    if (to !== MULTICALL3) {
      if (revert !== '0x') throw new Revert(revert);
      return { data: '0x' };
    }
    const result = [{ success: revert === '0x', returnData: revert }];
    return {
      data: encodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', result }),
    };
  },
});

/** Chain whose nodes report these reverts; the first one is asked first. */
function chainOf(...reverts: (Hex | null)[]): Chain {
  const endpoints = reverts.map(nodeWith) as unknown as EndpointClient[];
  const definition = { contracts: { multicall3: MULTICALL3 } };
  return { name: 'alphanet', definition, endpoints, client: endpoints[0] } as unknown as Chain;
}

/** Error of a call to nodes that report these reverts; its transaction was refused by the last one's. */
function named(to: Hex, ...reverts: (Hex | null)[]) {
  return refusingError(
    chainOf(...reverts),
    zeroAddress,
    { to, data: BATCH },
    reverts.at(-1) ?? used,
  );
}

describe.each<[string, Hex]>([
  ['a batch', MULTICALL3],
  ['a single call', WALLET],
])('the error by which %s is refused', (_, to) => {
  it.each<[string, Hex]>([
    ['another error', wrong],
    ['an unknown error', '0xdeadbeef'],
    ['no error', '0x'],
  ])('is that of two nodes of three where the first one reports %s', async (_what, lie) => {
    expect(await named(to, lie, used, used)).toBe('NonceAlreadyUsed');
  });

  it('is not known where two nodes disagree, or one of two is away', async () => {
    await expect(named(to, wrong, used)).rejects.toThrow('disagree');
    await expect(named(to, wrong, null)).rejects.toThrow('too few');
  });

  it('is that of the only node', async () => {
    expect(await named(to, used)).toBe('NonceAlreadyUsed');
    expect(await named(to, '0x')).toBeNull();
  });
});

it('a call that two nodes refuse no more has no known error', async () => {
  const nodes = chainOf('0x', '0x');
  await expect(refusingError(nodes, zeroAddress, { to: WALLET, data: '0x' }, used)).rejects.toThrow(
    'another error',
  );
});
