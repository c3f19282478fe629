import { ZERO_ADDRESS } from '@bascule/chain';
import type { Chain, EndpointClient } from '@bascule/chain';
import { Inject, Injectable } from '@nestjs/common';
import type { Address } from 'viem';
import { PAYMENT_CONFIG } from '../config/payment.config.js';
import type { PaymentConfig } from '../config/payment.config.js';
import { plainTransfers } from './block-reader.client.js';
import { largeRise } from './large-rise.js';
import type { Rise } from './large-rise.js';
import { nativeBalanceAt } from './native-balances.client.js';
import { explainedAt } from './native-ledger.js';
import type { NativeLedger } from './native-ledger.js';
import { NativeWalletsRepository } from './native-wallets.repository.js';
import type { Arrival } from './payment-deposits.js';
import { RiseBlocksClient } from './rise-blocks.client.js';
import type { Transfer } from './transfers.js';

/** Blocks of a wallet that one turn finds. */
const RISES_PER_TURN = 4;
/** Deepest search, in blocks: weeks on the fastest chains. */
const DEPTH = 2n ** 23n;

/** Wallet whose balance after a final block the ledger does not explain. */
export interface UnexplainedWallet {
  paymentId: string;
  address: Address;
  height: bigint;
  balance: bigint;
  ledger: NativeLedger;
}

export interface FoundMoney {
  arrivals: Arrival[];
  /** Money without a rise in any node's balances; null while there may be rises. */
  residue: bigint | null;
}

/** Finds the blocks and transactions of native money that a balance has shown. */
@Injectable()
export class NativeSearchService {
  private readonly blocks: RiseBlocksClient;

  constructor(
    private readonly wallets: NativeWalletsRepository,
    @Inject(PAYMENT_CONFIG) { timing }: PaymentConfig,
  ) {
    this.blocks = new RiseBlocksClient(timing.traceMs);
  }

  /**
   * Finds some of the money, large sums first.
   * @param nodes those to ask, in order; only all of them can say that no block explains the money
   * @throws TracesUnavailableError where the first block's transactions cannot be told now
   */
  async find(
    chain: Chain,
    nodes: readonly EndpointClient[],
    wallet: UnexplainedWallet,
  ): Promise<FoundMoney> {
    const arrivals: Arrival[] = [];
    let { ledger } = wallet;
    for (let rises = 0; rises < RISES_PER_TURN; rises++) {
      const unexplained = wallet.balance - explainedAt(ledger, wallet.height);
      if (unexplained <= 0n) break;
      const found = await this.rise(nodes, { ...wallet, ledger });
      if (found === null) return { arrivals, residue: unexplained };
      const { node, rise } = found;
      try {
        arrivals.push(...(await this.arrivalsIn(chain, node, wallet, rise)));
      } catch (error) {
        // The block may have been read before a reorg.
        this.forget(chain, rise.block);
        // What was found before is recorded; the next turn meets this block first.
        if (arrivals.length === 0) throw error;
        break;
      }
      ledger = { ...ledger, deposits: [...ledger.deposits, rise] };
    }
    return { arrivals, residue: null };
  }

  /** Has a block read again that the scanner does not have. */
  forget(chain: Chain, number: bigint): void {
    this.blocks.forget(chain, number);
  }

  private async rise(
    nodes: readonly EndpointClient[],
    wallet: UnexplainedWallet,
  ): Promise<{ node: EndpointClient; rise: Rise } | null> {
    const { address, height, balance, ledger } = wallet;
    const floor = ledger.since?.block ?? (height > DEPTH ? height - DEPTH : 0n);
    for (const node of nodes) {
      const unexplainedAt = async (block: bigint): Promise<bigint | null> => {
        const held = await nativeBalanceAt(node, address, block);
        return held === null ? null : held - explainedAt(ledger, block);
      };
      // The look's node may have lied; this one may have forgotten the block since.
      const seen = balance - explainedAt(ledger, height);
      const now = (await unexplainedAt(height)) ?? seen;
      const unexplained = now < seen ? now : seen;
      if (unexplained <= 0n) continue;
      const rise = await largeRise(unexplainedAt, { floor, height, unexplained });
      if (rise !== null) return { node, rise };
    }
    return null;
  }

  /** Transfers that explain a rise, and an arrival of unknown origin for what they do not explain. */
  private async arrivalsIn(
    chain: Chain,
    node: EndpointClient,
    { paymentId, address }: UnexplainedWallet,
    rise: Rise,
  ): Promise<Arrival[]> {
    const { block, traced } = await this.blocks.read(chain, node, rise.block);
    const recorded = await this.wallets.recordedIn(paymentId, chain.name, rise.block);
    const isOf = ({ to }: { to: Address }) => to.toLowerCase() === address.toLowerCase();
    const isNew = (transfer: Transfer): boolean =>
      isOf(transfer) &&
      transfer.from.toLowerCase() !== address.toLowerCase() &&
      !recorded.has(`${transfer.transactionHash}/${transfer.position}`);
    const plain = await plainTransfers(node, block.hash, block.payments.filter(isOf));
    const found = [...plain, ...traced].filter(isNew);
    const sum = found.reduce((total, { amount }) => total + amount, 0n);
    // A node that tells more than arrived is wrong.
    const known = sum > rise.amount ? [] : found;
    const rest = sum > rise.amount ? rise.amount : rise.amount - sum;
    const about = { chain: chain.name, block };
    const unknown = {
      token: ZERO_ADDRESS,
      from: null,
      to: address,
      amount: rest,
      transactionHash: block.hash,
      position: `balance:${address.toLowerCase()}`,
    };
    return [...known, ...(rest > 0n ? [unknown] : [])].map((it) => ({ ...it, ...about }));
  }
}
