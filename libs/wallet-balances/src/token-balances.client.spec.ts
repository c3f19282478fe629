import type { Chain, EndpointClient } from '@bascule/chain';
import { describe, expect, it } from '@jest/globals';
import { zeroAddress } from 'viem';
import { ChainUnreadableError } from './chain-unreadable-error.js';
import { TokenBalancesClient } from './token-balances.client.js';

const client = new TokenBalancesClient();
const owner = zeroAddress;
const TOKENS = [
  '0x00000000000000000000000000000000000000aa',
  '0x00000000000000000000000000000000000000bb',
] as const;
const away = new Error('away');

/** Balances of both tokens; null for a call that fails. */
type Said = readonly (bigint | null)[] | Error;

function nodeThatSays(said: Said, onAsked: () => void = () => undefined): EndpointClient {
  const multicall = async () => {
    onAsked();
    if (said instanceof Error) throw said;
    return said.map((result) =>
      result === null
        ? { status: 'failure', error: new Error('reverted') }
        : { status: 'success', result },
    );
  };
  return { multicall } as unknown as EndpointClient;
}

function chainOf(said: readonly Said[]) {
  let asked = 0;
  const count = () => (asked += 1);
  const about = { name: 'alphanet', definition: { contracts: { multicall3: zeroAddress } } };
  const chain = {
    ...about,
    anyNode: { ...about, client: nodeThatSays(said.find((one) => one !== away) ?? away, count) },
    endpoints: said.map((one) => nodeThatSays(one, count)),
  } as unknown as Chain;
  return { chain, asked: () => asked };
}

/** Reads balances that 10 of each token are taken from, of the first one with a rest of 5. */
const covering = ({ chain }: ReturnType<typeof chainOf>) =>
  client.readCovering(
    chain,
    TOKENS.map((token, index) => ({ owner, token, amount: 10n, kept: index === 0 ? 5n : 0n })),
    60_000,
  );

describe('balances that amounts are taken from', () => {
  it('are those of one node while they are enough', async () => {
    const nodes = chainOf([[15n, 10n], away, away]);
    expect(await covering(nodes)).toEqual([15n, 10n]);
    expect(nodes.asked()).toBe(1);
  });

  it.each<[string, Said]>([
    ['are nothing', [0n, 0n]],
    ['are too low for one token', [15n, 9n]],
    ['leave too little', [14n, 10n]],
    ['cannot be read', [null, null]],
    ['of one token cannot be read', [15n, null]],
  ])('are those of two nodes where the first of three says that they %s', async (_, lie) => {
    const honest = [20n, 12n];
    expect(await covering(chainOf([lie, honest, honest]))).toEqual(honest);
  });

  it('are too low where two nodes say so, of two by the higher one', async () => {
    expect(
      await covering(
        chainOf([
          [0n, 0n],
          [7n, 8n],
          [7n, 8n],
        ]),
      ),
    ).toEqual([7n, 8n]);
    expect(
      await covering(
        chainOf([
          [0n, 0n],
          [7n, 20n],
        ]),
      ),
    ).toEqual([7n, 20n]);
  });

  it('are enough by the only one of two that answers, and not too low by it', async () => {
    expect(await covering(chainOf([away, [20n, 9n]]))).toEqual([20n, null]);
  });

  it('leave what is kept by the only one of two that answers, whatever it says', async () => {
    expect(await covering(chainOf([away, [10n, 12n]]))).toEqual([15n, 12n]);
  });

  it('are those of the only configured node', async () => {
    expect(await covering(chainOf([[0n, null]]))).toEqual([0n, null]);
    await expect(covering(chainOf([away]))).rejects.toBeInstanceOf(ChainUnreadableError);
  });
});

describe('newest balances', () => {
  const newest = (...said: Said[]) => {
    const queries = TOKENS.map((token) => ({ owner, token }));
    return client.readNewest(chainOf(said).chain, queries, 60_000);
  };

  it('are those that two nodes say alike, or the only one that answers', async () => {
    expect(await newest([0n, 99n], [7n, 8n], [7n, 8n])).toEqual([7n, 8n]);
    expect(await newest([0n, 8n], [7n, 8n])).toEqual([null, 8n]);
    expect(await newest(away, [7n, 8n])).toEqual([7n, 8n]);
    expect(await newest([7n, null])).toEqual([7n, null]);
  });
});

describe('final balances', () => {
  const final = (...said: Said[]) =>
    client.readFinal(
      chainOf(said).chain,
      TOKENS.map((token) => ({ owner, token })),
      60_000,
      98n,
    );

  it('are those that two nodes say alike', async () => {
    expect(await final([0n, 99n], [7n, 8n], [7n, 8n])).toEqual([7n, 8n]);
    expect(await final([0n, 8n], [7n, 8n])).toEqual([null, 8n]);
    expect(await final([7n, 8n])).toEqual([7n, 8n]);
  });

  it('are not known where fewer nodes can read them', async () => {
    expect(await final([7n, 8n], away)).toEqual([null, null]);
    expect(await final([7n, 8n], [7n, null])).toEqual([7n, null]);
  });
});
