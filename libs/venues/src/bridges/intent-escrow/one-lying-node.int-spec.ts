import { Chain } from '@bascule/chain';
import {
  developmentAddresses,
  FILL_OUTCOMES,
  intentEscrowAbi,
  ORDER_STATUSES,
  parseOrder,
} from '@bascule/solidity';
import { freePort, startLyingNode } from '@bascule/testing';
import type { LyingNode, RpcAnswer } from '@bascule/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionData,
  encodeFunctionResult,
  multicall3Abi,
  numberToHex,
  zeroAddress,
} from 'viem';
import type { Hex } from 'viem';
import { BridgeRefusedError } from '../bridge.js';
import { AMOUNT, startIntentEscrowStage } from '../testing/intent-escrow-stage.fixture.js';

const { usdc, intentEscrow: escrow } = developmentAddresses;
const AWAY = 'http://127.0.0.1:9';
const THIEF = '0x00000000000000000000000000000000000000bb';
const FAR_AHEAD = numberToHex(10n ** 12n);
const NOWHERE: Hex = `0x${'fe'.repeat(32)}`;

describe('a transfer on a chain with a lying node', () => {
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
  const originAt = (...rpcUrls: string[]) =>
    new Chain({ definition: stage.ends.origin.definition, rpcUrls });
  const lieAbout = (asked: Hex, given: () => RpcAnswer): void => {
    liar.lies.set('eth_call', async ({ params: [call] }, truth) =>
      (call as { data: Hex }).data === asked ? given() : truth(),
    );
  };

  describe('a quote', () => {
    const asked = encodeFunctionData({ abi: intentEscrowAbi, functionName: 'fillWindow' });
    /** Lies also where the question is the only one of a batch. */
    const lieAboutWindow = (seconds: bigint): void => {
      const returnData = numberToHex(seconds, { size: 32 });
      const batched = encodeFunctionResult({
        abi: multicall3Abi,
        functionName: 'aggregate3',
        result: [{ success: true, returnData }],
      });
      liar.lies.set('eth_call', async ({ params: [call] }, truth) => {
        const { data } = call as { data: Hex };
        if (!data.includes(asked.slice(2))) return truth();
        return { result: data === asked ? returnData : batched };
      });
    };
    const quoting = (fillSeconds: number, ...rpcUrls: string[]) => {
      const ends = { origin: originAt(...rpcUrls), destination: stage.ends.destination };
      const bridge = stage.freshBridge();
      return () => {
        stage.solverConduct.fillSeconds = fillSeconds;
        return bridge.quote({ ...ends, inputToken: usdc, outputToken: usdc, amount: AMOUNT });
      };
    };

    it('takes no fill window from that node, the first of three', async () => {
      lieAboutWindow(10n);
      const quote = quoting(7, liar.url, honestUrl(), honestUrl());
      expect(await quote()).toMatchObject({ delivered: AMOUNT });
      lieAboutWindow(10n ** 9n);
      const late = quoting(1_000, liar.url, honestUrl(), honestUrl());
      await expect(late()).rejects.toBeInstanceOf(BridgeRefusedError);
    });

    it('is refused by no fill window of the only node that answers, which is not kept', async () => {
      lieAboutWindow(0n);
      const quote = quoting(7, liar.url, AWAY);
      await expect(quote()).rejects.not.toBeInstanceOf(BridgeRefusedError);
      liar.lies.clear();
      expect(await quote()).toMatchObject({ delivered: AMOUNT });
    });

    it('waits while two of two differ about the fill window', async () => {
      lieAboutWindow(0n);
      const quote = quoting(7, liar.url, honestUrl());
      await expect(quote()).rejects.toThrow('disagree');
    });
  });

  describe('with its refund', () => {
    /** Opens an order and refunds it after its deadline, all final. */
    async function refunded() {
      const { transfer } = await stage.opening();
      const order = parseOrder(transfer.details);
      await stage.here.setNextBlockTimestamp({ timestamp: order.fillDeadline + 1n });
      const outcome = { outcome: FILL_OUTCOMES.unfilled, filler: zeroAddress };
      await stage.attest({ orderId: transfer.id, ...outcome });
      const { solver, here } = stage;
      const receipt = await stage.sent(here, solver, escrow, intentEscrowAbi, 'refundToWallet', [
        order,
      ]);
      await stage.final(here);
      return { transfer, receipt };
    }

    it('is found refunded though that node says that it is open, and lies about times', async () => {
      const { transfer, receipt } = await refunded();
      const { destination } = stage.ends;
      const asked = encodeFunctionData({
        abi: intentEscrowAbi,
        functionName: 'statusOf',
        args: [transfer.id],
      });
      lieAbout(asked, () => ({
        result: numberToHex(ORDER_STATUSES.indexOf('OPEN'), { size: 32 }),
      }));
      liar.lies.set('eth_getBlockByNumber', async (_, truth) => {
        const { result } = await truth();
        return { result: { ...(result as object), timestamp: numberToHex(2n ** 60n) } };
      });
      const { timestamp } = await stage.here.getBlock({ blockNumber: receipt.blockNumber });
      const three = originAt(liar.url, honestUrl(), honestUrl());
      expect(await stage.bridge.status(transfer, { origin: three, destination })).toMatchObject({
        ...{ kind: 'refunded', amount: AMOUNT, blockNumber: receipt.blockNumber },
        blockTimestamp: new Date(Number(timestamp) * 1000),
      });
    });

    it('is found refunded though a node has set the start of its search far ahead', async () => {
      const { transfer, receipt } = await refunded();
      const poisoned = { ...transfer, originFromBlock: 10n ** 12n };
      expect(await stage.bridge.status(poisoned, stage.ends)).toMatchObject({
        ...{ kind: 'refunded', blockNumber: receipt.blockNumber },
      });
    });
  });

  it('is not refunded on the word of that node', async () => {
    const { transfer } = await stage.opening();
    await stage.final(stage.here);
    const { origin, destination } = stage.ends;
    const three = originAt(liar.url, honestUrl(), honestUrl());
    const escrow = origin.definition.contracts.intentEscrow;
    const asked = encodeFunctionData({
      abi: intentEscrowAbi,
      functionName: 'statusOf',
      args: [transfer.id],
    });
    lieAbout(asked, () => ({
      result: numberToHex(ORDER_STATUSES.indexOf('REFUNDED'), { size: 32 }),
    }));
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

describe('a transfer to a chain with a node that lies about its head', () => {
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

  const honestUrl = () => stage.ends.destination.anyNode.client.chain.rpcUrls.default.http[0] ?? '';
  const destinationAt = (...rpcUrls: string[]) =>
    new Chain({ definition: stage.ends.destination.definition, rpcUrls });
  /** Reports a high and old head, so that it looks older than each opening. */
  const lieAboutHead = (): void => {
    liar.lies.set('eth_getBlockByNumber', async ({ params: [asked] }, truth) => {
      const { result } = await truth();
      if (asked !== 'latest') return { result };
      return { result: { ...(result as object), number: FAR_AHEAD, timestamp: '0x1' } };
    });
  };
  /** Opens and fills an order, which `nodes` tell about meanwhile; final afterwards. */
  async function filledWith(...nodes: string[]) {
    const { transfer, receipt } = await stage.opening();
    const fill = await stage.fill(transfer, AMOUNT);
    lieAboutHead();
    const chains = { ...stage.ends, destination: destinationAt(...nodes) };
    const told = await stage.bridge.opened(chains, receipt.logs, stage.contract.wallet);
    if (!told) throw new Error('no order was opened');
    await Promise.all([stage.final(stage.here), stage.final(stage.there)]);
    return { told, fill };
  }

  it.each(['the first of three', 'the first of two'])(
    'starts its search before its fill though that node is %s',
    async (which) => {
      const others = which === 'the first of two' ? [honestUrl()] : [honestUrl(), honestUrl()];
      const { told, fill } = await filledWith(liar.url, ...others);
      expect(told.destinationFromBlock).toBeLessThanOrEqual(fill.blockNumber);
    },
  );

  it('is found filled though that node alone set the start of its search', async () => {
    const { told, fill } = await filledWith(liar.url, AWAY);
    expect(told.destinationFromBlock).toBeGreaterThan(fill.blockNumber);
    const chains = {
      ...stage.ends,
      destination: destinationAt(liar.url, honestUrl(), honestUrl()),
    };
    expect(await stage.bridge.status(told, chains)).toMatchObject({
      ...{ kind: 'filled', amount: AMOUNT, blockNumber: fill.blockNumber },
    });
  });

  it('is found filled, at its time, though that node denies it, and lies about times', async () => {
    const { transfer } = await stage.opening();
    const { blockNumber } = await stage.fill(transfer, AMOUNT);
    await Promise.all([stage.final(stage.here), stage.final(stage.there)]);
    const asked = encodeFunctionData({
      abi: intentEscrowAbi,
      functionName: 'fillerOf',
      args: [transfer.id],
    });
    liar.lies.set('eth_call', async ({ params: [call] }, truth) =>
      (call as { data: Hex }).data === asked ? { result: numberToHex(0, { size: 32 }) } : truth(),
    );
    liar.lies.set('eth_getBlockByNumber', async (_, truth) => {
      const { result } = await truth();
      return { result: { ...(result as object), timestamp: numberToHex(2n ** 60n) } };
    });
    const { timestamp } = await stage.there.getBlock({ blockNumber });
    const chains = {
      ...stage.ends,
      destination: destinationAt(liar.url, honestUrl(), honestUrl()),
    };
    expect(await stage.bridge.status(transfer, chains)).toMatchObject({
      ...{ kind: 'filled', amount: AMOUNT, blockNumber },
      blockTimestamp: new Date(Number(timestamp) * 1000),
    });
  });

  it('is opened though that node tells a rising number of each block', async () => {
    const { receipt, transfer } = await stage.opening();
    liar.lies.set('eth_getBlockByNumber', async (_, truth) => {
      const { result } = await truth();
      return { result: { ...(result as object), number: FAR_AHEAD, timestamp: FAR_AHEAD } };
    });
    const chains = { ...stage.ends, destination: destinationAt(liar.url, AWAY) };
    const told = await stage.bridge.opened(chains, receipt.logs, stage.contract.wallet);
    expect(told).toMatchObject({ id: transfer.id });
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
      const honest = destination.anyNode.client.chain.rpcUrls.default.http[0] ?? '';
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
