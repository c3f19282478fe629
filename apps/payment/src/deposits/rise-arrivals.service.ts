import { countAlike, NodesUnavailableError, witnessesNeeded, ZERO_ADDRESS } from '@bascule/chain';
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
import { isCall, PLAIN_POSITION } from './transfers.js';
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
   * @throws NodesUnavailableError where nodes contradict each other about the block or its transfers
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
      !(isCall(transfer) && hasCalls(recorded));
    const known = await this.explain(chain, { node, rise }, block, { isNew, ends });
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

  /**
   * Asks node by node, first that of the rise, until two tell alike which transfers explain it. One alone is believed after
   * all others have answered or failed three times, where no other one explains it and none contests a plain transfer.
   */
  private async explain(
    chain: Chain,
    { node, rise }: NodeRise,
    block: BlockPointer,
    { isNew, ends }: Wanted,
  ): Promise<Transfer[]> {
    const needed = witnessesNeeded(chain);
    const told: Transfer[][] = [];
    let failure: TracesUnavailableError | undefined;
    const others = chain.endpoints.filter((endpoint) => endpoint !== node);
    for (const endpoint of [node, ...others]) {
      if (performance.now() > ends) throw new TracesUnavailableError(block.hash);
      const { transfers, failure: failed } = await this.blocks.told(endpoint, block, isNew);
      if (transfers !== null && !isDoubled(transfers)) told.push(transfers);
      failure ??= failed;
      const [first] = explanations(told, rise.amount);
      if (first !== undefined && first.witnesses >= needed) return first.answer;
    }
    if (failure !== undefined) throw failure;
    const believed = believedOf(told, rise.amount, needed);
    if (believed !== null) return believed;
    for (const endpoint of chain.endpoints) this.blocks.readAgain(endpoint, block);
    throw new NodesUnavailableError(
      `nodes of ${chain.name} disagree about transfers in block ${block.number}`,
    );
  }
}

interface Wanted {
  isNew: (transfer: Transfer) => boolean;
  ends: number;
}

/** Chooses what one node tells, without a second one; null where nodes contradict each other. */
function believedOf(
  told: readonly Transfer[][],
  amount: bigint,
  needed: number,
): Transfer[] | null {
  const possible = withoutFalse(told, needed);
  if (possible === null) return null;
  const [first, second] = explanations(possible, amount);
  if (first !== undefined) return first.witnesses === second?.witnesses ? null : first.answer;
  // A node that tells more than arrived is wrong.
  const partial = possible.filter((transfers) => sumOf(transfers) < amount);
  return partial.toSorted((one, other) => (sumOf(one) < sumOf(other) ? 1 : -1))[0] ?? [];
}

/**
 * Leaves out plain transfers that are false: too few nodes tell them, and enough that answer do not, which need no trace for
 * it. Leaves out nodes that hide others. Null where one is contested: too few deny it, too.
 */
function withoutFalse(told: readonly Transfer[][], needed: number): Transfer[][] | null {
  const texts = told.flatMap((transfers) => [...new Set(transfers.filter(isPlain).map(textOf))]);
  const plain = countAlike(texts, (text) => text).map(({ answer, witnesses }) => {
    const denials = told.length - witnesses;
    return { text: answer, denials, isDoubted: witnesses < needed && denials > 0 };
  });
  if (plain.some(({ denials, isDoubted }) => isDoubted && denials < needed)) return null;
  const isFalse = new Set(plain.filter((it) => it.isDoubted).map(({ text }) => text));
  const wanted = plain.filter((it) => !it.isDoubted).map(({ text }) => text);
  return told
    .map((transfers) => transfers.filter((it) => !isFalse.has(textOf(it))))
    .filter((transfers) => {
      const texts = new Set(transfers.map(textOf));
      return wanted.every((text) => texts.has(text));
    });
}

/** Whether a transaction pays more than once, which may hide another one. */
function isDoubled(transfers: readonly Transfer[]): boolean {
  const plain = transfers.filter(isPlain).map(({ transactionHash }) => transactionHash);
  return new Set(plain).size < plain.length;
}

const isPlain = ({ position }: Transfer): boolean => position === PLAIN_POSITION;

/** A call is not like a plain transfer: a node that hides one may invent the other. */
function textOf(transfer: Transfer): string {
  const { transactionHash, from, amount } = transfer;
  return `${transactionHash} ${from.toLowerCase()} ${amount}${isPlain(transfer) ? '' : ' call'}`;
}

/** Counts alike transfers that explain the amount exactly; tracers name positions differently. */
const explanations = (told: readonly Transfer[][], amount: bigint) =>
  countAlike(
    told.filter((transfers) => sumOf(transfers) === amount),
    (transfers) => transfers.map(textOf).sort().join(),
  );

const sumOf = (transfers: readonly Transfer[]): bigint =>
  transfers.reduce((sum, { amount }) => sum + amount, 0n);

const keyOf = ({
  transactionHash,
  position,
}: Pick<Transfer, 'transactionHash' | 'position'>): string => `${transactionHash}/${position}`;

/** Whether calls of the block are recorded, by a tracer or the balance: no other call is recorded beside these. */
const hasCalls = (recorded: ReadonlySet<string>): boolean =>
  [...recorded].some((key) => /\/(?:call:|balance:|trace:.)/.test(key));

/** A position that no deposit of the block has: more may be found after money that a node had hidden. */
function freePosition(recorded: ReadonlySet<string>, block: string, address: Address): string {
  const first = `balance:${address.toLowerCase()}`;
  let position = first;
  for (let next = 1; recorded.has(`${block}/${position}`); next++) position = `${first}:${next}`;
  return position;
}
