import { Chains } from '@bascule/chain';
import { TransactionSender } from '@bascule/transactions';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { EntityManager } from 'typeorm';
import { erc20Abi } from 'viem';
import type { Address } from 'viem';
import type { SolverOrderStatus } from '../life-cycle/order-status.js';

/** What we own, and what of it others will get. */
@Injectable()
export class InventoryService {
  constructor(
    private readonly chains: Chains,
    private readonly sender: TransactionSender,
    private readonly dataSource: DataSource,
  ) {}

  balance(chain: string, token: Address): Promise<bigint> {
    return this.chains.get(chain).client.readContract({
      address: token,
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [this.sender.signerAddress(chain)],
    });
  }

  /** What is left for further quotes; a fill that is mined but not final counts twice, which errs on the safe side. */
  async free(chain: string, token: Address): Promise<bigint> {
    const [balance, promised] = await Promise.all([
      this.balance(chain, token),
      sum(this.dataSource.manager, chain, token, ['SEEN', 'FILLING']),
    ]);
    return balance - promised;
  }

  /** What recorded fills will take, as of the caller's transaction. */
  inFlight(manager: EntityManager, chain: string, token: Address): Promise<bigint> {
    return sum(manager, chain, token, ['FILLING']);
  }
}

async function sum(
  manager: EntityManager,
  chain: string,
  token: Address,
  statuses: readonly SolverOrderStatus[],
): Promise<bigint> {
  // The constants lead to the partial index.
  const rows: { total: string }[] = await manager.query(
    `SELECT coalesce(sum(output_amount), 0) AS total FROM orders
     WHERE destination = $1 AND output_token = $2
       AND status IN ('SEEN', 'FILLING') AND status = ANY($3)`,
    [chain, token.toLowerCase(), statuses],
  );
  return BigInt(rows[0]?.total ?? 0);
}
