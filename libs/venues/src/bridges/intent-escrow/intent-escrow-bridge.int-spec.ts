import {
  developmentAddresses,
  FILL_OUTCOMES,
  intentEscrowAbi,
  parseOrder,
  refundText,
  serializeOrder,
} from '@bascule/solidity';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { getAddress, zeroAddress } from 'viem';
import type { Address } from 'viem';
import { BridgeRefusedError } from '../bridge.js';
import type { BridgeTransfer } from '../bridge.js';
import {
  AMOUNT,
  CONFIRMATIONS,
  connect,
  startIntentEscrowStage,
} from '../testing/intent-escrow-stage.fixture.js';

const { usdc, intentEscrow: escrow, weth } = developmentAddresses;
const RECIPIENT: Address = '0x00000000000000000000000000000000000000aa';
/** More blocks than a hosted node searches per request. */
const MANY_BLOCKS = 300;
/** Window of the development escrow. */
const FILL_WINDOW_SECONDS = 120;

type Stage = Awaited<ReturnType<typeof startIntentEscrowStage>>;

describe('a transfer through the escrow', () => {
  let stage: Stage;
  let here: Stage['here'];
  let there: Stage['there'];

  beforeAll(async () => {
    stage = await startIntentEscrowStage();
    ({ here, there } = stage);
  });
  afterAll(() => stage.stop());

  const status = (transfer: BridgeTransfer) => stage.bridge.status(transfer, stage.ends);
  const open = async (): Promise<BridgeTransfer> => (await stage.opening()).transfer;
  const final = (node: Stage['here']) => stage.final(node);
  const release = ({ details }: BridgeTransfer) =>
    stage.sent(here, stage.user, escrow, intentEscrowAbi, 'release', [parseOrder(details)]);

  it('is quoted only when it can be filled before the escrow’s deadline', async () => {
    const quoted = () =>
      stage.bridge.quote({ ...stage.ends, inputToken: usdc, outputToken: usdc, amount: AMOUNT });
    const margin = 15;
    stage.solverConduct.fillSeconds = FILL_WINDOW_SECONDS - margin;
    await expect(quoted()).resolves.toMatchObject({ delivered: AMOUNT });
    stage.solverConduct.fillSeconds += 1;
    await expect(quoted()).rejects.toThrow(BridgeRefusedError);
  });

  it('has the fill deadline of its order', async () => {
    const transfer = await open();
    const { fillDeadline } = parseOrder(transfer.details);
    expect(transfer.fillDeadline.getTime()).toBe(Number(fillDeadline) * 1000);
  });

  it('is filled only once the fill is final, even after the escrow has paid', async () => {
    const transfer = await open();
    await final(here);
    const receipt = await stage.fill(transfer, AMOUNT - 2n);
    // Paid on the attestation of attesters whose nodes are ahead of ours.
    await stage.attestFilled(transfer);
    await release(transfer);
    await final(here);
    expect(await status(transfer)).toEqual({ kind: 'open' });

    await final(there);
    const { timestamp } = await there.getBlock({ blockNumber: receipt.blockNumber });
    expect(await status(transfer)).toEqual({
      kind: 'filled',
      amount: AMOUNT - 2n,
      transactionHash: receipt.transactionHash,
      blockNumber: receipt.blockNumber,
      blockTimestamp: new Date(Number(timestamp) * 1000),
    });
  });

  it('is found filled after any number of blocks and any delay of its record', async () => {
    const { transfer: early, receipt } = await stage.opening();
    const filled = await stage.fill(early, AMOUNT);
    await stage.attestFilled(early);
    await there.mine({ blocks: MANY_BLOCKS, interval: 1 });
    await final(here);
    const late = await stage.bridge.opened(stage.ends, receipt.logs, stage.contract.wallet);
    if (!late) throw new Error('no order was opened');
    expect(late.destinationFromBlock).toBeLessThanOrEqual(filled.blockNumber);
    const is = { kind: 'filled', transactionHash: filled.transactionHash };
    expect(await status(late)).toMatchObject(is);
    // A clock that was far behind, or an older version of this service.
    const tooLate = { ...late, destinationFromBlock: filled.blockNumber + 200n };
    expect(await status(tooLate)).toMatchObject(is);
  });

  it('is unknown again once a reorg has removed it', async () => {
    const transfer = await open();
    await final(here);
    expect(await status(transfer)).toEqual({ kind: 'open' });
    await here.request<{ Parameters: [number, never[]]; ReturnType: null }>({
      method: 'anvil_reorg',
      params: [CONFIRMATIONS, []],
    });
    expect(await status(transfer)).toEqual({ kind: 'unknown' });
  });

  it('is lost once the escrow has paid for a delivery that does not exist', async () => {
    const transfer = await open();
    await stage.attestFilled(transfer);
    await release(transfer);
    await final(here);
    const { fillDeadline, expires } = parseOrder(transfer.details);
    for (const timestamp of [fillDeadline + 1n, expires]) {
      await there.setNextBlockTimestamp({ timestamp });
      await there.mine({ blocks: 1 });
      await there.mine({ blocks: CONFIRMATIONS - 1, interval: 1 });
      expect(await status(transfer)).toEqual({ kind: 'open' });
    }
    await there.mine({ blocks: 1 });
    expect(await status(transfer)).toEqual({ kind: 'lost' });
  });

  it('does not end by the answer of a single node', async () => {
    const transfer = await open();
    await final(here);
    const node = connect(stage.fork);
    await node.setNextBlockTimestamp({ timestamp: parseOrder(transfer.details).expires + 1n });
    const ahead = (await there.getBlockNumber()) - (await node.getBlockNumber());
    await node.mine({ blocks: Number(ahead) + 2 * CONFIRMATIONS });
    const forked = { ...stage.ends, destination: stage.forkedChains.get('betanet') };
    await expect(stage.bridge.status(transfer, forked)).rejects.toThrow('disagree about block');
    expect(await status(transfer)).toEqual({ kind: 'open' });
  });

  it('is unfilled once a final block of the destination is past the deadline, then refunded', async () => {
    const transfer = await open();
    await final(here);
    const order = parseOrder(transfer.details);
    await there.setNextBlockTimestamp({ timestamp: order.fillDeadline });
    await there.mine({ blocks: 1 });
    await there.setNextBlockTimestamp({ timestamp: order.fillDeadline + 1n });
    await there.mine({ blocks: CONFIRMATIONS - 1 });
    // In the very last second of the window it can still be filled.
    expect(await status(transfer)).toEqual({ kind: 'open' });
    await there.mine({ blocks: 1 });
    expect(await status(transfer)).toEqual({ kind: 'unfilled' });

    await here.setNextBlockTimestamp({ timestamp: order.fillDeadline + 1n });
    await stage.attest({
      orderId: transfer.id,
      outcome: FILL_OUTCOMES.unfilled,
      filler: zeroAddress,
    });
    const instruction = {
      recipient: RECIPIENT,
      feeReceiver: weth,
      fee: 7n,
      validUntil: order.fillDeadline + 600n,
    };
    if (!stage.user) throw new Error('user not found');
    const signature = await stage.user.signMessage({
      message: refundText(order, instruction, escrow),
    });
    const receipt = await stage.sent(here, stage.solver, escrow, intentEscrowAbi, 'refund', [
      order,
      instruction,
      signature,
    ]);
    expect(await status(transfer)).toEqual({ kind: 'unfilled' });
    await final(here);
    const refunded = {
      kind: 'refunded',
      recipient: getAddress(RECIPIENT),
      amount: AMOUNT - 7n,
      feeReceiver: weth,
      fee: 7n,
      transactionHash: receipt.transactionHash,
      blockNumber: receipt.blockNumber,
    };
    expect(await status(transfer)).toMatchObject(refunded);
    await here.mine({ blocks: MANY_BLOCKS, interval: 1 });
    expect(await status(transfer)).toMatchObject(refunded);
  });

  describe('refunded to its wallet by anyone', () => {
    const possible = (transfer: BridgeTransfer) =>
      stage.bridge.walletRefund(transfer, stage.ends.origin);
    const attestUnfilled = ({ id: orderId }: BridgeTransfer) =>
      stage.attest({ orderId, outcome: FILL_OUTCOMES.unfilled, filler: zeroAddress });
    const passTime = async (timestamp: bigint) => {
      await here.setNextBlockTimestamp({ timestamp });
      await here.mine({ blocks: 1 });
    };

    it('is possible once it can no longer be filled and the oracle reports so', async () => {
      const transfer = await open();
      const { fillDeadline } = parseOrder(transfer.details);
      const early = { kind: 'impossible', reason: 'the order can still be filled' };
      expect(await possible(transfer)).toEqual(early);
      await attestUnfilled(transfer);
      expect(await possible(transfer)).toEqual(early);
      await passTime(fillDeadline + 1n);
      const refund = await possible(transfer);
      if (refund.kind !== 'possible') throw new Error(refund.reason);
      const hash = await here.sendTransaction({
        chain: null,
        account: stage.solver ?? null,
        ...refund.call,
        gas: 500_000n,
      });
      await here.waitForTransactionReceipt({ hash });
      await final(here);
      expect(await status(transfer)).toMatchObject({
        kind: 'refunded',
        recipient: stage.contract.wallet,
        amount: AMOUNT,
        feeReceiver: zeroAddress,
        fee: 0n,
        transactionHash: hash,
      });
      const again = { kind: 'impossible', reason: 'the order is refunded' };
      expect(await possible(transfer)).toEqual(again);
    });

    it('waits without attesters until it has expired', async () => {
      const transfer = await open();
      const { fillDeadline, expires } = parseOrder(transfer.details);
      await passTime(fillDeadline + 1n);
      const reason = 'no quorum of attesters yet';
      expect(await possible(transfer)).toEqual({ kind: 'impossible', reason });
      await passTime(expires);
      expect(await possible(transfer)).toMatchObject({ kind: 'possible', call: { to: escrow } });
    });

    it('is impossible once the oracle reports it as filled, and for an unknown order', async () => {
      const transfer = await open();
      await stage.attestFilled(transfer);
      const filled = { kind: 'impossible', reason: 'the order is filled' };
      expect(await possible(transfer)).toEqual(filled);
      const order = { ...parseOrder(transfer.details), nonce: 10n ** 9n };
      const unknown = { kind: 'impossible', reason: 'order not found on chain' };
      expect(await possible({ ...transfer, details: serializeOrder(order) })).toEqual(unknown);
    });
  });
});
