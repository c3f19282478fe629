import { developmentAccounts } from '@bascule/local-stack';
import {
  FILL_OUTCOMES,
  fillAttestationTypedData,
  intentEscrowAbi,
  orderId,
  parseOrder,
} from '@bascule/solidity';
import { startCapturingServer } from '@bascule/testing';
import type { CannedResponse } from '@bascule/testing';
import { zeroAddress } from 'viem';
import type { Address } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { ChainPlayer } from './chain-player.fixture.js';

/** `honest`: attests the chain's state; `silent`: attests nothing; `lying`: attests every order as unfilled. */
export type Mood = 'honest' | 'silent' | 'lying';

const notFinal: CannedResponse = {
  status: 409,
  body: JSON.stringify({ error: { code: 'not_final', retry_after_ms: 1_000 } }),
};

/** One of the development chains' attesters, over the wire of the real ones. */
async function startAttester(index: 0 | 1 | 2, destination: ChainPlayer) {
  const account = privateKeyToAccount(developmentAccounts[(8 + index) as 8 | 9 | 10].privateKey);
  let mood: Mood = 'honest';
  const server = await startCapturingServer(async ({ body }) => {
    if (mood === 'silent') return notFinal;
    const asked = JSON.parse(body.toString()) as { escrow: Address; order: unknown };
    const order = parseOrder(asked.order);
    const id = orderId(order, asked.escrow);
    const seen = await destination.client.readContract({
      address: asked.escrow,
      abi: intentEscrowAbi,
      functionName: 'fillerOf',
      args: [id],
    });
    const filler = mood === 'lying' ? zeroAddress : seen;
    const isFilled = filler !== zeroAddress;
    const isOver = (await destination.now()) > order.fillDeadline;
    if (!isFilled && !isOver && mood !== 'lying') return notFinal;
    const outcome = isFilled ? FILL_OUTCOMES.filled : FILL_OUTCOMES.unfilled;
    const signature = await account.signTypedData(
      fillAttestationTypedData(
        { orderId: id, outcome, filler },
        { chainId: order.originChainId, oracle: order.oracle },
      ),
    );
    return {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        order_id: id,
        outcome: isFilled ? 'FILLED' : 'UNFILLED',
        filler,
        attester: account.address,
        signature,
      }),
    };
  });
  return {
    url: server.url,
    be: (next: Mood) => {
      mood = next;
    },
    stop: () => server.stop(),
  };
}

/** All three; two have to agree. */
export async function startAttesters(destination: ChainPlayer) {
  const all = await Promise.all(([0, 1, 2] as const).map((i) => startAttester(i, destination)));
  return {
    urls: all.map(({ url }) => url).join(','),
    be: (...moods: [Mood, Mood, Mood]) => {
      all.forEach((attester, index) => {
        attester.be(moods[index] ?? 'honest');
      });
    },
    stop: async () => {
      await Promise.all(all.map((attester) => attester.stop()));
    },
  };
}
