import { Chain } from '@bascule/chain';
import {
  FILL_OUTCOMES,
  ORDER_STATUSES,
  developmentAddresses,
  intentEscrowAbi,
  parseOrder,
} from '@bascule/solidity';
import { changedMulticall, startLyingNode } from '@bascule/testing';
import type { LyingNode } from '@bascule/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { getAbiItem, numberToHex, parseAbi, toFunctionSelector, zeroAddress } from 'viem';
import type { Hex } from 'viem';
import { startIntentEscrowStage } from '../testing/intent-escrow-stage.fixture.js';

const STATUS = toFunctionSelector(getAbiItem({ abi: intentEscrowAbi, name: 'statusOf' }));
const [clock] = parseAbi(['function getCurrentBlockTimestamp() view returns (uint256)']);
const NOW = toFunctionSelector(clock);

describe('a refund to the wallet on a chain with a lying node', () => {
  let stage: Awaited<ReturnType<typeof startIntentEscrowStage>>;
  let liar: LyingNode;
  beforeAll(async () => {
    stage = await startIntentEscrowStage();
    liar = await startLyingNode(honestUrl());
  });
  afterEach(() => liar.lies.clear());
  afterAll(async () => {
    await liar.stop();
    await stage.stop();
  });

  const honestUrl = () => stage.ends.origin.anyNode.client.chain.rpcUrls.default.http[0] ?? '';
  const lieAbout = (selector: Hex, value: number): void => {
    const lie = { success: true, returnData: numberToHex(value, { size: 32 }) };
    liar.lies.set('eth_call', async ({ params: [call] }, truth) => {
      const { data } = call as { data: Hex };
      const { result } = await truth();
      const change = (asked: Hex, honest: typeof lie) =>
        asked.startsWith(selector) ? lie : honest;
      return { result: changedMulticall(data, result as Hex, change) };
    });
  };

  it.each<[string, Hex, number]>([
    ['can still be filled', NOW, 1],
    ['was released', STATUS, ORDER_STATUSES.indexOf('RELEASED')],
    ['was refunded', STATUS, ORDER_STATUSES.indexOf('REFUNDED')],
    ['does not exist', STATUS, ORDER_STATUSES.indexOf('UNKNOWN')],
  ])('is possible though that one says that the order %s', async (_, selector, value) => {
    const { transfer } = await stage.opening();
    await stage.attest({
      ...{ orderId: transfer.id, outcome: FILL_OUTCOMES.unfilled, filler: zeroAddress },
    });
    const timestamp = parseOrder(transfer.details).fillDeadline + 1n;
    await stage.here.setNextBlockTimestamp({ timestamp });
    await stage.here.mine({ blocks: 1 });
    lieAbout(selector, value);
    const refund = (...rpcUrls: string[]) =>
      stage.bridge.walletRefund(
        transfer,
        new Chain({ definition: stage.ends.origin.definition, rpcUrls }),
      );
    expect(await refund(liar.url, honestUrl(), honestUrl())).toMatchObject({
      ...{ kind: 'possible', call: { to: developmentAddresses.intentEscrow } },
    });
    await expect(refund(liar.url, honestUrl())).rejects.toThrow('disagree');
  });
});
