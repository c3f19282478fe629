import type { Chain, EndpointClient, FinalBlock } from '@bascule/chain';
import { oneTimeWalletAbi, parseWithdrawalNonce } from '@bascule/solidity';
import { Injectable } from '@nestjs/common';
import { getAbiItem } from 'viem';
import type { Address } from 'viem';
import type { WithdrawalRecord } from '../../life-cycle/withdrawal-record.js';
import { settlementLog } from '../settlement-log.client.js';
import type { Observation } from '../withdrawal-account.js';
import { witnessedObservation } from '../witnessed-observation.client.js';

const withdrawnEvent = getAbiItem({ abi: oneTimeWalletAbi, name: 'Withdrawn' });

/** Observes a withdrawal from a wallet: it is settled once its nonce is used. */
@Injectable()
export class WalletOutcomeClient {
  observe(chain: Chain, record: WithdrawalRecord, isDoubted: boolean): Promise<Observation> {
    return witnessedObservation(chain, (block) => observeAt(chain, block, record), isDoubted);
  }
}

async function observeAt(
  chain: Chain,
  { node, number: blockNumber }: FinalBlock,
  record: WithdrawalRecord,
): Promise<Observation> {
  if (await isUsed(node, record, blockNumber)) {
    const transactionHash = await settlementHash(chain, node, record, blockNumber);
    return { state: 'settled', transactionHash };
  }
  const { timestamp } = await node.getBlock({ blockNumber });
  return { state: 'open', isExpired: timestamp >= parseWithdrawalNonce(record.nonce).expiresAt };
}

async function isUsed(
  node: EndpointClient,
  { walletAddress, nonce }: WithdrawalRecord,
  blockNumber: bigint,
): Promise<boolean> {
  const address = walletAddress as Address;
  const code = await node.getCode({ address, blockNumber });
  if (code === undefined) return false;
  return node.readContract({
    address,
    abi: oneTimeWalletAbi,
    functionName: 'nonceUsed',
    args: [nonce],
    blockNumber,
  });
}

async function settlementHash(
  chain: Chain,
  node: EndpointClient,
  { walletAddress, nonce, fromBlock }: WithdrawalRecord,
  toBlock: bigint,
): Promise<string> {
  const address = walletAddress as Address;
  const log = await settlementLog(chain, { fromBlock, toBlock }, (part) =>
    node.getLogs({ ...part, address, event: withdrawnEvent, args: { nonce } }),
  );
  if (log === undefined) throw new Error('nonce is used, but its Withdrawn log was not found');
  return log.transactionHash;
}
