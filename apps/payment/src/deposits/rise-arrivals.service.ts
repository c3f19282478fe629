import { ZERO_ADDRESS } from '@bascule/chain';
import type { Chain } from '@bascule/chain';
import { Inject, Injectable } from '@nestjs/common';
import { isAddressEqual } from 'viem';
import type { Address } from 'viem';
import { PAYMENT_CONFIG } from '../config/payment.config.js';
import type { PaymentConfig } from '../config/payment.config.js';
import { NativeWalletsRepository } from './native-wallets.repository.js';
import type { Arrival } from './payment-deposits.js';
import { RiseBlocksClient } from './rise-blocks.client.js';
import { isSameBlock } from './scanned-chain.js';
import type { BlockPointer } from './scanned-chain.js';
import { ScannedBlocksService } from './scanned-blocks.service.js';
import { TracesUnavailableError } from './traces-unavailable-error.js';
import { PLAIN_POSITION } from './transfers.js';
import type { Transfer } from './transfers.js';
import type { NodeRise, UnexplainedWallet } from './wallet-rises.client.js';

/** Finds the transfers that explain a rise. */
@Injectable()
export class RiseArrivalsService {
  private readonly blocks: RiseBlocksClient;

  constructor(
    private readonly wallets: NativeWalletsRepository,
    private readonly scanned: ScannedBlocksService,
    @Inject(PAYMENT_CONFIG) { timing }: PaymentConfig,
  ) {
    this.blocks = new RiseBlocksClient(timing.traceMs);
  }

  /**
   * Reads the transfers of a rise's block, and adds an arrival of unknown origin for what they do not explain.
   * @param ends time by a monotonic clock after which no further node is asked
   * @throws where the node has another block than the scanner, or beyond the retention than two nodes
   * @throws TracesUnavailableError where a node may explain more later
   */
  async of(
    chain: Chain,
    { node, rise }: NodeRise,
    { paymentId, address }: UnexplainedWallet,
    ends: number,
  ): Promise<Arrival[]> {
    const block = await this.scanned.block(chain, rise.block);
    if (!isSameBlock(block, await this.blocks.block(node, block.number))) {
      this.blocks.forget(node, block.number);
      throw new Error(`block ${block.number} of ${chain.name} is not the scanned one`);
    }
    const recorded = await this.wallets.recordedIn(paymentId, chain.name, block.number);
    const isNew = (transfer: Transfer): boolean =>
      isAddressEqual(transfer.to, address) &&
      !isAddressEqual(transfer.from, address) &&
      !recorded.has(keyOf(transfer)) &&
      !(isCall(transfer) && hasUntraced(recorded));
    const known = await this.explain(chain, rise.amount, block, { address, isNew, ends });
    const rest = rise.amount - sumOf(known);
    const unknown = {
      token: ZERO_ADDRESS,
      from: null,
      to: address,
      amount: rest,
      transactionHash: block.hash,
      position: freePosition(recorded, block.hash, address),
    };
    const found = rest > 0n ? [...known, unknown] : known;
    return found.map((transfer) => ({ ...transfer, chain: chain.name, block }));
  }

  /** Has a block read again that the scanner does not have. */
  forget(chain: Chain, number: bigint): void {
    for (const node of chain.endpoints) this.blocks.forget(node, number);
  }

  /** Asks node by node for transfers that explain the amount, wholly if any does. */
  private async explain(
    chain: Chain,
    amount: bigint,
    block: BlockPointer,
    { address, isNew, ends }: Wanted,
  ): Promise<Transfer[]> {
    let most: Transfer[] = [];
    let failure: TracesUnavailableError | undefined;
    for (const node of this.blocks.preferred(chain.endpoints)) {
      if (performance.now() > ends) throw new TracesUnavailableError(block.hash);
      try {
        const found = (await this.blocks.transfersTo(address, node, block)).filter(isNew);
        const sum = sumOf(found);
        if (sum === amount) return found;
        // A node that tells more than arrived is wrong.
        if (sum < amount && sum > sumOf(most)) most = found;
      } catch (error) {
        if (!(error instanceof TracesUnavailableError)) throw error;
        failure = error;
      }
    }
    if (failure !== undefined) throw failure;
    return most;
  }
}

interface Wanted {
  address: Address;
  isNew: (transfer: Transfer) => boolean;
  ends: number;
}

const sumOf = (transfers: readonly Transfer[]): bigint =>
  transfers.reduce((sum, { amount }) => sum + amount, 0n);

const keyOf = ({
  transactionHash,
  position,
}: Pick<Transfer, 'transactionHash' | 'position'>): string => `${transactionHash}/${position}`;

/** Whether it is a call as `trace_block` shows it. */
const isCall = ({ position }: Transfer): boolean =>
  position.startsWith(PLAIN_POSITION) && position !== PLAIN_POSITION;

/** Whether calls of the block are recorded without `trace_block`: none that it shows is recorded beside these. */
const hasUntraced = (recorded: ReadonlySet<string>): boolean =>
  [...recorded].some((key) => key.includes('/call:') || key.includes('/balance:'));

/** A position that no deposit of the block has: more may be found after money that a node had hidden. */
function freePosition(recorded: ReadonlySet<string>, block: string, address: Address): string {
  const first = `balance:${address.toLowerCase()}`;
  let position = first;
  for (let next = 1; recorded.has(`${block}/${position}`); next++) position = `${first}:${next}`;
  return position;
}
