import { tokenIdentifier } from '@bascule/contracts';
import { developmentAddresses } from '@bascule/solidity';
import { isAddressEqual } from 'viem';
import { acceptanceOf } from '../payments/test-payment.js';
import { lower, sum, type ChainRecord, type OpenedOrder, type OrderFill } from './chain-record.js';
import type { DatabaseRows } from './database-rows.js';
import type { Claim, Findings } from './findings.js';
import { paymentLabel, type VerifiedPayment } from './payment-label.js';

type Records = readonly ChainRecord[];
type Rows = Pick<DatabaseRows, 'legs' | 'solverOrders'>;

/** Claims about the escrow's orders, from opening to release or refund. */
export class OrderClaims {
  readonly #opened: Claim;
  readonly #filled: Claim;
  readonly #closed: Claim;
  readonly #known: Claim;
  readonly #undelivered: Claim;
  readonly #escrows: Claim;

  constructor(findings: Findings) {
    this.#opened = findings.claim('a leg that crosses locks its output in one order, as declared');
    this.#filled = findings.claim('an order is filled once at most, with at least its minimum');
    this.#closed = findings.claim(
      'an order is released once to its filler, else refunded to its owner',
    );
    this.#known = findings.claim('payment and solver have the right outcome of each order');
    this.#undelivered = findings.claim(
      'a cross-chain payment fails only when its order stays unfilled',
    );
    this.#escrows = findings.claim('every escrow holds exactly the amounts of its open orders');
  }

  verify(payment: VerifiedPayment, status: string, records: Records, rows: Rows): void {
    const { id, declaration } = acceptanceOf(payment);
    const wallet = lower(acceptanceOf(payment).wallet);
    declaration.legs.slice(0, -1).forEach((leg, index) => {
      const origin = recordOf(records, leg.chainId);
      const executed = origin.legs.find((each) => each.wallet === wallet);
      const orders = origin.orders.filter((each) => each.wallet === wallet);
      this.#opened.equal(paymentLabel(payment), orders.length, executed ? 1 : 0);
      const [opened] = orders;
      const fills = opened ? fillsOf(opened, records) : [];
      if (opened && executed) {
        this.#opened.equal(paymentLabel(payment), opened.hash, executed.hash);
        this.#opened.equal(paymentLabel(payment), opened.order.inputAmount, executed.output);
        this.#verifyTerms(payment, index, opened);
        this.#verifyFill(payment, opened, fills, records);
        this.#verifyClosing(payment, opened, fills, origin);
        const row = rows.legs.find((each) => each.paymentId === id && each.index === index);
        this.#verifyRows(payment, opened, fills, row?.transfer ?? null, rows);
      }
      const isTooLate = (opened?.order.fillDeadline ?? 0n) < origin.time;
      const isUndelivered = opened !== undefined && fills.length === 0 && isTooLate;
      this.#undelivered.holds(
        paymentLabel(payment),
        status === 'COMPLETE' || isUndelivered,
        status,
      );
    });
  }

  async verifyEscrows(records: Records): Promise<void> {
    const { intentEscrow, usdc } = developmentAddresses;
    for (const { chain, orders, closings } of records) {
      const closed = new Set(closings.map(({ orderId }) => orderId));
      const open = orders.filter(({ id }) => !closed.has(id));
      const held = await chain.balance(tokenIdentifier(chain.name, usdc), intentEscrow);
      this.#escrows.equal(chain.name, held, sum(open.map(({ order }) => order.inputAmount)));
    }
  }

  #verifyTerms(payment: VerifiedPayment, index: number, { order }: OpenedOrder): void {
    const { declaration, wallet } = acceptanceOf(payment);
    const [leg, next] = declaration.legs.slice(index);
    const isDeclared =
      leg !== undefined &&
      next !== undefined &&
      order.minimum === leg.minBridged &&
      order.destinationChainId === next.chainId &&
      isAddressEqual(order.inputToken, leg.outputToken) &&
      isAddressEqual(order.outputToken, next.inputToken) &&
      isAddressEqual(order.recipient, wallet) &&
      isAddressEqual(order.owner, declaration.owner);
    this.#opened.holds(paymentLabel(payment), isDeclared, order);
  }

  #verifyFill(
    payment: VerifiedPayment,
    { order }: OpenedOrder,
    fills: Fill[],
    records: Records,
  ): void {
    this.#filled.holds(paymentLabel(payment), fills.length <= 1, fills.length);
    for (const { fill, record } of fills) {
      this.#filled.equal(
        paymentLabel(payment),
        BigInt(record.chain.chainId),
        order.destinationChainId,
      );
      this.#filled.holds(paymentLabel(payment), fill.amount >= order.minimum, fill);
      const token = tokenIdentifier(record.chain.name, order.outputToken);
      const brought = records
        .flatMap(({ transfers }) => transfers)
        .filter(({ hash, to }) => hash === fill.hash && to === lower(order.recipient));
      this.#filled.equal(paymentLabel(payment), brought.length, 1);
      this.#filled.equal(paymentLabel(payment), brought[0]?.units, fill.amount);
      this.#filled.equal(paymentLabel(payment), brought[0]?.token, token);
    }
  }

  #verifyClosing(
    payment: VerifiedPayment,
    opened: OpenedOrder,
    fills: Fill[],
    origin: ChainRecord,
  ): void {
    const closings = origin.closings.filter(({ orderId }) => orderId === opened.id);
    const [filled] = fills;
    const isRight = filled
      ? closings.length === 1 &&
        closings[0]?.to === 'filler' &&
        closings[0].receiver === filled.fill.filler
      : closings.length <= 1 && closings.every(({ to }) => to === 'owner');
    const isWhole = closings.every(({ amount }) => amount === opened.order.inputAmount);
    this.#closed.holds(paymentLabel(payment), isRight && isWhole, closings);
  }

  #verifyRows(
    payment: VerifiedPayment,
    { id }: OpenedOrder,
    [filled]: Fill[],
    transfer: DatabaseRows['legs'][number]['transfer'],
    { solverOrders }: Rows,
  ): void {
    const subject = paymentLabel(payment);
    this.#known.equal(subject, transfer?.transfer.id, id);
    this.#known.equal(subject, transfer?.status === 'FILLED', filled !== undefined);
    this.#known.equal(subject, transfer?.filled?.amount, filled?.fill.amount.toString());
    this.#known.equal(subject, transfer?.filled?.transactionHash, filled?.fill.hash);
    const row = solverOrders.find((each) => each.id === id);
    this.#known.equal(subject, row?.status === 'CLAIMED', filled !== undefined);
  }
}

function recordOf(records: Records, chainId: bigint): ChainRecord {
  const found = records.find(({ chain }) => BigInt(chain.chainId) === chainId);
  if (!found) throw new Error(`no record of chain ${chainId}`);
  return found;
}

interface Fill {
  fill: OrderFill;
  /** Record of the chain on which it was filled. */
  record: ChainRecord;
}

const fillsOf = ({ id }: OpenedOrder, records: Records): Fill[] =>
  records.flatMap((record) =>
    record.fills.filter(({ orderId }) => orderId === id).map((fill) => ({ fill, record })),
  );
