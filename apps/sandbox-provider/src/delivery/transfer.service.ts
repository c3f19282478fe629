import { basisPoints } from '@bascule/amounts';
import { feesFor, offeredFees } from '@bascule/chain';
import { ServiceContext } from '@bascule/process';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { EntityManager } from 'typeorm';
import { encodeFunctionData, erc20Abi, keccak256 } from 'viem';
import type { Address, Hex } from 'viem';
import type { Order } from '../persistence/order.entity.js';
import { Transfer } from '../persistence/transfer.entity.js';
import { Wallet } from '../persistence/wallet.entity.js';
import { WalletsService } from './wallets.service.js';

/** Fee multiple: a sandbox wallet never replaces a transaction, so each must outbid future base fees. */
const FEE_HEADROOM = 10n;

@Injectable()
export class TransferService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly wallets: WalletsService,
    private readonly context: ServiceContext,
  ) {}

  /** Signs and stores the order's one transfer; it is broadcast only after the caller's transaction commits. */
  async record(manager: EntityManager, order: Order): Promise<void> {
    const chain = this.wallets.chain(order.network);
    const account = this.wallets.account(order.provider);
    const wallet = await this.wallets.lock(manager, order.provider, order.network);
    const amount = basisPoints(order.cryptoAmount, order.deliverBps, 'down');
    const call = transferCall(order, amount);
    const [used, gas, fees] = await Promise.all([
      this.wallets.nonceOnChain(order.provider, chain),
      chain.anyNode.client.estimateGas({ account: account.address, ...call }),
      feesFor(chain),
    ]);
    const nonce = wallet.nextNonce > used ? wallet.nextNonce : used;
    const rawTransaction = await account.signTransaction({
      ...call,
      chainId: chain.chainId,
      nonce: Number(nonce),
      gas: (gas * 13n) / 10n,
      ...offeredFees(chain.definition, {
        ...fees,
        maxFeePerGas: fees.maxFeePerGas * FEE_HEADROOM,
      }),
    });
    await manager.insert(Transfer, {
      orderId: order.id,
      walletId: wallet.id,
      nonce,
      hash: keccak256(rawTransaction),
      rawTransaction,
      amount,
    });
    await manager.update(Wallet, { id: wallet.id }, { nextNonce: nonce + 1n });
  }

  find(orderId: string): Promise<Transfer> {
    return this.dataSource.getRepository(Transfer).findOneByOrFail({ orderId });
  }

  /** Broadcasts all transfers of a wallet that its chain lacks; repeats are idempotent. */
  async resend(wallet: Pick<Wallet, 'id' | 'provider' | 'network'>): Promise<number> {
    const chain = this.wallets.chain(wallet.network);
    const used = await this.wallets.nonceOnChain(wallet.provider, chain);
    const missing: { raw_transaction: Hex; hash: string }[] = await this.dataSource.query(
      `SELECT raw_transaction, hash FROM transfers
       WHERE wallet_id = $1 AND nonce >= $2 ORDER BY nonce LIMIT 100`,
      [wallet.id, used.toString()],
    );
    for (const { raw_transaction: serializedTransaction, hash } of missing) {
      await chain.anyNode.client
        .sendRawTransaction({ serializedTransaction })
        .catch((error: unknown) =>
          this.context.logger.debug({ err: error, hash }, 'the node did not take a transfer'),
        );
    }
    return missing.length;
  }
}

function transferCall(order: Order, amount: bigint): { to: Address; data: Hex } {
  const data = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'transfer',
    args: [order.walletAddress as Address, amount],
  });
  return { to: order.contract as Address, data };
}
