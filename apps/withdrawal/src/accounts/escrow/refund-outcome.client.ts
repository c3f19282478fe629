import type { Chain, FinalBlock } from '@bascule/chain';
import { ORDER_STATUSES, intentEscrowAbi } from '@bascule/solidity';
import { Injectable } from '@nestjs/common';
import { getAbiItem } from 'viem';
import type { Hex } from 'viem';
import type { StoredRefund } from '../../life-cycle/stored-refund.js';
import { settlementLog } from '../settlement-log.client.js';
import type { Observation } from '../withdrawal-account.js';
import { witnessedObservation } from '../witnessed-observation.client.js';
import { isRefundMatching } from './refund-match.js';
import { parseRefund } from './refund.js';
import type { Refund } from './refund.js';

const refundedEvent = getAbiItem({ abi: intentEscrowAbi, name: 'Refunded' });

/** Observes a refund: it is settled once the escrow has refunded exactly the signed instruction. */
@Injectable()
export class RefundOutcomeClient {
  observe(
    chain: Chain,
    { stored, fromBlock }: { stored: StoredRefund; fromBlock: bigint },
    isDoubted: boolean,
  ): Promise<Observation> {
    const refund = parseRefund(stored);
    const observe = (block: FinalBlock) => observeAt(chain, block, refund, fromBlock);
    return witnessedObservation(chain, observe, isDoubted);
  }
}

async function observeAt(
  chain: Chain,
  block: FinalBlock,
  refund: Refund,
  fromBlock: bigint,
): Promise<Observation> {
  const position = await block.node.readContract({
    address: refund.escrow,
    abi: intentEscrowAbi,
    functionName: 'statusOf',
    args: [refund.orderId],
    blockNumber: block.number,
  });
  const status = ORDER_STATUSES[position];
  if (status === 'REFUNDED') return refunded(chain, block, refund, fromBlock);
  if (status === 'RELEASED') {
    return { state: 'impossible', reason: 'the order was filled on the destination chain.' };
  }
  const { timestamp } = await block.node.getBlock({ blockNumber: block.number });
  return { state: 'open', isExpired: timestamp >= refund.instruction.validUntil };
}

async function refunded(
  chain: Chain,
  { node, number: toBlock }: FinalBlock,
  refund: Refund,
  fromBlock: bigint,
): Promise<Observation> {
  const log = await settlementLog(chain, { fromBlock, toBlock }, (part) =>
    node.getLogs({
      ...part,
      address: refund.escrow,
      event: refundedEvent,
      args: { orderId: refund.orderId },
      strict: true,
    }),
  );
  if (log === undefined) throw new Error('order is refunded, but its Refunded log was not found');
  const hash: Hex = log.transactionHash;
  const { input } = await node.getTransaction({ hash });
  return isRefundMatching(refund.instruction, log.args, input)
    ? { state: 'settled', transactionHash: hash }
    : { state: 'impossible', reason: 'the order was refunded by another instruction.' };
}
