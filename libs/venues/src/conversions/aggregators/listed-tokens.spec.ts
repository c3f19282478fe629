import { describe, expect, it } from '@jest/globals';
import type { Address } from 'viem';
import { ListedTokens } from './listed-tokens.js';

const token: Address = '0x00000000000000000000000000000000000000AA';
const WAIT_MS = 60_000;

describe('ListedTokens', () => {
  it('reads the list of a chain once', async () => {
    const asked: number[] = [];
    const listed = new ListedTokens(async (chainId) => {
      asked.push(chainId);
      return chainId === 1 ? [token] : [];
    }, WAIT_MS);
    const [one, same, other] = await Promise.all([1, 1, 2].map((chain) => listed.of(chain)));
    expect([...(one ?? [])]).toEqual([token.toLowerCase()]);
    expect([same === one, other?.size, asked]).toEqual([true, 0, [1, 2]]);
  });

  it('is empty while the list was never read, and asks again', async () => {
    let isDown = true;
    const listed = new ListedTokens(async () => {
      if (isDown) throw new Error('down');
      return [token];
    }, WAIT_MS);
    expect((await listed.of(1)).size).toBe(0);
    isDown = false;
    expect((await listed.of(1)).size).toBe(1);
  });

  it('waits for no slow list, and has it later', async () => {
    let answer: (tokens: Address[]) => void = () => undefined;
    const slow = new Promise<Address[]>((resolve) => (answer = resolve));
    const listed = new ListedTokens(() => slow, 1);
    expect((await listed.of(1)).size).toBe(0);
    answer([token]);
    await slow;
    expect((await listed.of(1)).size).toBe(1);
  });
});
