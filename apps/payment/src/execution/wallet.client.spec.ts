import type { Chain, EndpointClient } from '@bascule/chain';
import { ZERO_ADDRESS } from '@bascule/chain';
import { describe, expect, it } from '@jest/globals';
import { readWallet, witnessedWallet } from './wallet.client.js';

const WALLET = '0x00000000000000000000000000000000000000aa';
const TOKEN = '0x00000000000000000000000000000000000000bb';
const NEEDED = 1_000n;

interface NodeFacts {
  balance: bigint;
  legExecuted?: boolean;
  executorEnded?: boolean;
}

const nodeWith = ({ balance, ...flags }: NodeFacts): EndpointClient =>
  ({
    getCode: async () => '0x01',
    getBalance: async () => balance,
    readContract: async ({ functionName }: { functionName: 'balanceOf' | keyof typeof flags }) =>
      functionName === 'balanceOf' ? balance : (flags[functionName] ?? false),
  }) as unknown as EndpointClient;

function chainOf(...nodes: NodeFacts[]): Chain {
  const endpoints = nodes.map(nodeWith);
  return { name: 'alphanet', endpoints, anyNode: { client: endpoints[0] } } as unknown as Chain;
}

describe('witnessedWallet', () => {
  it.each([TOKEN, ZERO_ADDRESS] as const)(
    'reads a wallet whose balance of %s grows by dust between the nodes’ answers',
    async (token) => {
      const enough = chainOf({ balance: NEEDED }, { balance: NEEDED + 1n });
      expect(await witnessedWallet(enough, WALLET, token, NEEDED)).toMatchObject({
        hasNeeded: true,
      });
      const short = chainOf({ balance: 5n }, { balance: 6n }, { balance: 7n });
      expect(await witnessedWallet(short, WALLET, token, NEEDED)).toMatchObject({
        hasNeeded: false,
      });
    },
  );

  it('fails where two nodes disagree on whether the balance is enough', async () => {
    const chain = chainOf({ balance: NEEDED }, { balance: NEEDED - 1n });
    await expect(witnessedWallet(chain, WALLET, TOKEN, NEEDED)).rejects.toThrow('disagree');
  });

  it.each(['legExecuted', 'executorEnded'] as const)(
    'fails where two nodes disagree on %s, and follows two of three',
    async (flag) => {
      const shown = { balance: 5n, [flag]: true };
      const hidden = { balance: 6n };
      const pair = chainOf(shown, hidden);
      await expect(witnessedWallet(pair, WALLET, TOKEN, NEEDED)).rejects.toThrow('disagree');
      const three = chainOf(shown, hidden, { ...shown, balance: 7n });
      expect(await witnessedWallet(three, WALLET, TOKEN, NEEDED)).toMatchObject({ [flag]: true });
    },
  );
});

describe('readWallet', () => {
  it('holds a leg up only where two nodes show too little', async () => {
    const [enough, little, less] = [{ balance: NEEDED }, { balance: 2n }, { balance: 1n }];
    const one = chainOf(little, enough, enough);
    expect(await readWallet(one, WALLET, TOKEN, NEEDED)).toMatchObject({ hasNeeded: true });
    const two = chainOf(little, enough, less);
    expect(await readWallet(two, WALLET, TOKEN, NEEDED)).toMatchObject({ hasNeeded: false });
  });
});
