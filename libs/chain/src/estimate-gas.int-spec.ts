import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startLyingNode, startTestChain } from '@bascule/testing';
import type { LyingNode, TestChain } from '@bascule/testing';
import { numberToHex } from 'viem';
import type { Hex } from 'viem';
import { Chains } from './chains.js';
import { parseChainsConfig } from './chains-config.js';
import { estimateGasOf } from './estimate-gas.js';
import { NodesUnavailableError } from './nodes-unavailable-error.js';
import { revertDataOf } from './simulations/call-failure.js';

const SOMEBODY = '0x00000000000000000000000000000000000000AA';
/** A hundred bytes, all but one of them zero: at least 22,030 gas. */
const DATA: Hex = `0x01${'00'.repeat(99)}`;
const BOUND = 200_000n;

type Answer = number | 'revert' | 'other revert' | 'none';

describe('the gas of a call', () => {
  let anvil: TestChain;
  let nodes: LyingNode[];

  beforeAll(async () => {
    anvil = await startTestChain();
    nodes = await Promise.all([1, 2, 3].map(() => startLyingNode(anvil.rpcUrl)));
  });
  afterAll(async () => {
    await Promise.all(nodes.map((node) => node.stop()));
    await anvil.stop();
  });

  /** Estimates with nodes that answer so. */
  const estimate = (answers: readonly Answer[], bound = BOUND): Promise<bigint> => {
    const used = nodes.slice(0, answers.length);
    for (const [index, node] of used.entries()) {
      const answer = answers[index] ?? 'none';
      node.lies.set('eth_estimateGas', () => answerOf(answer));
    }
    const config = { CHAINS: 'alphanet', RPC_URLS_ALPHANET: used.map(({ url }) => url).join(',') };
    const chain = new Chains(parseChainsConfig(config)).get('alphanet');
    return estimateGasOf(chain, { account: SOMEBODY, to: SOMEBODY, data: DATA }, bound);
  };

  it.each<[string, Answer[], bigint]>([
    ['of one node is its own', [100_000], 100_000n],
    ['of two is the higher one', [60_000, 100_000], 100_000n],
    ['of two is the higher one in either order', [100_000, 60_000], 100_000n],
    ['of three is the median where one is low', [60_000, 100_000, 110_000], 100_000n],
    ['of three is the median where one is high', [190_000, 100_000, 90_000], 100_000n],
    ['is what the only one of two that answers says', [60_000, 'none'], 60_000n],
    ['is never below what every transaction needs', [5_000, 'none'], 22_030n],
    ['is that of the other one of two where one says revert', ['revert', 100_000], 100_000n],
    ['is that of the others of three where one says revert', ['revert', 90_000, 100_000], 100_000n],
    ['is at most the bound where one of two needs more', [100_000_000, 100_000], 200_000n],
    ['is the median of three where one needs more', [100_000_000, 90_000, 100_000], 100_000n],
    ['is above the bound where two of three need more', [300_000, 60_000, 300_000], 300_000n],
  ])('estimate %s', async (_, answers, expected) => {
    expect(await estimate(answers)).toBe(expected);
  });

  it('is at most the bound where that is less than every transaction needs', async () => {
    expect(await estimate([5_000, 'none'], 21_500n)).toBe(21_500n);
  });

  it.each<[string, Answer[]]>([
    ['one node says so', ['revert']],
    ['two of three say so', ['revert', 60_000, 'revert']],
    [
      'two of three say so, and the other one tells another reason',
      ['other revert', 'revert', 'revert'],
    ],
  ])('is an error where %s', async (_, answers) => {
    const error = await estimate(answers).catch((reason: unknown) => reason);
    expect(revertDataOf(error)).toBe('0xaaaaaaaa');
  });

  it.each<[string, Answer[]]>([
    ['no node answers', ['none', 'none']],
    ['the only one of two that answers says revert', ['revert', 'none']],
  ])('is unknown where %s', async (_, answers) => {
    await expect(estimate(answers)).rejects.toThrow(NodesUnavailableError);
  });
});

async function answerOf(answer: Answer) {
  if (answer === 'none') throw new Error('away');
  if (typeof answer === 'number') return { result: numberToHex(answer) };
  const data = answer === 'revert' ? '0xaaaaaaaa' : '0xbbbbbbbb';
  return { error: { code: 3, message: 'execution reverted', data } };
}
