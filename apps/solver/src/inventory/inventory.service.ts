import { Chains, medianOf } from '@bascule/chain';
import { TransactionSender } from '@bascule/transactions';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { EntityManager } from 'typeorm';
import { erc20Abi } from 'viem';
import type { Address } from 'viem';
import type { SolverOrderStatus } from '../life-cycle/order-status.js';

/** Reads the inventory and the amounts reserved by orders. */
@Injectable()
export class InventoryService {
  constructor(
    private readonly chains: Chains,
    private readonly sender: TransactionSender,
    private readonly dataSource: DataSource,
  ) {}

  /** Returns the nodes' median, of two the lower one by default: a fill of more than we have reverts. */
  balance(chain: string, token: Address, middle: 'lower' | 'higher' = 'lower'): Promise<bigint> {
    const holder = this.sender.signerAddress(chain);
    return medianOf(
      this.chains.get(chain),
      (node) =>
        node.readContract({
          address: token,
          abi: erc20Abi,
          functionName: 'balanceOf',
          args: [holder],
        }),
      middle,
    );
  }

  /** Returns the inventory left for quotes; a mined fill that is not final counts twice, which is safe. */
  async free(chain: string, token: Address, middle: 'lower' | 'higher'): Promise<bigint> {
    const [balance, reserved] = await Promise.all([
      this.balance(chain, token, middle),
      sum(this.dataSource.manager, chain, token, ['SEEN', 'FILLING']),
    ]);
    return balance - reserved;
  }

  /** Sums the recorded fills in flight, within the caller's transaction. */
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
  // The constant statuses let the planner use the partial index.
  const rows: { total: string }[] = await manager.query(
    `SELECT coalesce(sum(output_amount), 0) AS total FROM orders
     WHERE destination = $1 AND output_token = $2
       AND status IN ('SEEN', 'FILLING') AND status = ANY($3)
       AND (is_reserving OR status = 'FILLING')`,
    [chain, token.toLowerCase(), statuses],
  );
  return BigInt(rows[0]?.total ?? 0);
}
