import { agreedHead } from '@bascule/chain';
import type { Chain, EndpointClient } from '@bascule/chain';
import { oneTimeWalletAbi, parseWithdrawalNonce } from '@bascule/solidity';
import { Injectable } from '@nestjs/common';
import { getAbiItem } from 'viem';
import type { Address } from 'viem';
import type { WithdrawalRecord } from '../life-cycle/withdrawal-record.js';
import type { NonceObservation } from './decide.js';

const withdrawnEvent = getAbiItem({ abi: oneTimeWalletAbi, name: 'Withdrawn' });
/** The chain may have been reorganised since the withdrawal was asked for. */
const REORGANISATION_MARGIN = 100n;

@Injectable()
export class NonceObservationClient {
  /** As of the newest block that has its confirmations. */
  async of(chain: Chain, record: WithdrawalRecord): Promise<NonceObservation> {
    const head = await agreedHead(chain);
    const [node] = head.endpoints;
    if (node === undefined) throw new Error(`no RPC endpoint of ${chain.name} has its agreed head`);
    const depth = BigInt(chain.definition.confirmations) - 1n;
    const blockNumber = head.number > depth ? head.number - depth : 0n;
    if (await isUsed(node, record, blockNumber)) {
      return { state: 'used', transactionHash: await landingHash(node, record, blockNumber) };
    }
    const { timestamp } = await node.getBlock({ blockNumber });
    return { state: 'unused', isDead: timestamp >= parseWithdrawalNonce(record.nonce).diesAt };
  }
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

async function landingHash(
  node: EndpointClient,
  { walletAddress, nonce, fromBlock }: WithdrawalRecord,
  toBlock: bigint,
): Promise<string> {
  const [log] = await node.getLogs({
    address: walletAddress as Address,
    event: withdrawnEvent,
    args: { nonce },
    fromBlock: fromBlock > REORGANISATION_MARGIN ? fromBlock - REORGANISATION_MARGIN : 0n,
    toBlock,
  });
  if (log === undefined)
    throw new Error('the nonce is used, but no log of its withdrawal is found');
  return log.transactionHash;
}
