import { describe, expect, it } from '@jest/globals';
import type { Chain } from '@bascule/chain';
import { isHeadContradicted } from './contradicted-head.client.js';

const FINAL = 1_000n;
/** Head of the final block, by two confirmations. */
const HEAD = 1_001n;
const LATER = HEAD + 100n;

const AWAY = () => Promise.reject(new Error('away'));
const HANGING = () => new Promise<bigint>(() => undefined);

/** Whether nodes with these heads contradict the final block, on a chain with a block a second. */
function isContradicted(...heads: (bigint | (() => Promise<bigint>))[]): Promise<boolean> {
  const endpoints = heads.map((head) => ({
    getBlockNumber: () => (typeof head === 'bigint' ? Promise.resolve(head) : head()),
  }));
  const definition = { confirmations: 2, blockTimeMs: 1_000 };
  return isHeadContradicted({ endpoints, definition } as unknown as Chain, FINAL);
}

describe('a head that nodes agree on', () => {
  it.each([
    ['one of two nodes is far ahead', [HEAD, LATER]],
    ['one of three is far ahead and the third away', [HEAD, LATER, AWAY]],
    ['one of two does not answer', [HEAD, AWAY]],
    ['two of three are far ahead', [HEAD, LATER, LATER]],
  ])('is contradicted where %s', async (_, heads) => {
    expect(await isContradicted(...heads)).toBe(true);
  });

  it.each([
    ['the only node has it', [HEAD]],
    ['two nodes are half a minute apart', [HEAD, HEAD + 30n]],
    ['one of three reports any height', [HEAD, HEAD + 1n, 1n << 60n]],
    ['two of three have it while the third hangs', [HEAD, HANGING, HEAD]],
  ])('is not contradicted where %s', async (_, heads) => {
    expect(await isContradicted(...heads)).toBe(false);
  });
});
