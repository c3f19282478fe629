import { Chain } from '@bascule/chain';
import { intentEscrowAbi, ORDER_STATUSES } from '@bascule/solidity';
import { freePort, startLyingNode } from '@bascule/testing';
import type { LyingNode } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionData,
  numberToHex,
  zeroAddress,
} from 'viem';
import type { Hex } from 'viem';
import { AMOUNT, startIntentEscrowStage } from '../testing/intent-escrow-stage.fixture.js';

const THIEF = '0x00000000000000000000000000000000000000bb';
const NOWHERE: Hex = `0x${'fe'.repeat(32)}`;

describe('a transfer on a chain with one lying node of three', () => {
  let stage: Awaited<ReturnType<typeof startIntentEscrowStage>>;
  let liar: LyingNode | undefined;
  beforeAll(async () => {
    stage = await startIntentEscrowStage();
  });
  afterAll(async () => {
    await liar?.stop();
    await stage.stop();
  });

  it('is not refunded on the word of that node', async () => {
    const { transfer } = await stage.opening();
    await stage.final(stage.here);
    const { origin, destination } = stage.ends;
    const honest = origin.client.chain.rpcUrls.default.http[0] ?? '';
    liar = await startLyingNode(honest);
    const three = new Chain({
      definition: origin.definition,
      rpcUrls: [liar.url, honest, honest],
    });
    const escrow = origin.definition.contracts.intentEscrow;
    const asked = encodeFunctionData({
      abi: intentEscrowAbi,
      functionName: 'statusOf',
      args: [transfer.id],
    });
    liar.lies.set('eth_call', async ({ params: [call] }, truth) =>
      (call as { data: Hex }).data === asked
        ? { result: numberToHex(ORDER_STATUSES.indexOf('REFUNDED'), { size: 32 }) }
        : truth(),
    );
    const block = await stage.here.getBlock();
    liar.lies.set('eth_getLogs', () =>
      Promise.resolve({
        result: [
          {
            address: escrow,
            topics: encodeEventTopics({
              abi: intentEscrowAbi,
              eventName: 'Refunded',
              args: { orderId: transfer.id, recipient: THIEF },
            }),
            data: encodeAbiParameters(
              [{ type: 'uint256' }, { type: 'address' }, { type: 'uint256' }],
              [AMOUNT, zeroAddress, 0n],
            ),
            ...{ blockHash: block.hash, blockNumber: numberToHex(block.number), removed: false },
            ...{ transactionHash: NOWHERE, transactionIndex: '0x0', logIndex: '0x0' },
          },
        ],
      }),
    );
    expect(await stage.bridge.status(transfer, { origin: three, destination })).toEqual({
      kind: 'open',
    });
  });
});

describe('a transfer on a chain with one node of three away', () => {
  let stage: Awaited<ReturnType<typeof startIntentEscrowStage>>;
  beforeAll(async () => {
    stage = await startIntentEscrowStage();
  });
  afterAll(() => stage.stop());

  it.each(['first', 'last'])(
    'is filled by blocks before its own, with the %s away',
    async (which) => {
      const { transfer } = await stage.opening();
      const { blockNumber } = await stage.fill(transfer, AMOUNT);
      await Promise.all([stage.final(stage.here), stage.final(stage.there)]);
      await stage.there.mine({ blocks: 200 });
      const { origin, destination } = stage.ends;
      const honest = destination.client.chain.rpcUrls.default.http[0] ?? '';
      const away = `http://127.0.0.1:${await freePort()}`;
      const three = new Chain({
        definition: destination.definition,
        rpcUrls: which === 'first' ? [away, honest, honest] : [honest, honest, away],
      });
      const late = { ...transfer, destinationFromBlock: blockNumber + 100n };
      expect(await stage.bridge.status(late, { origin, destination: three })).toMatchObject({
        ...{ kind: 'filled', amount: AMOUNT, blockNumber },
      });
    },
  );
});
