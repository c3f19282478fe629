import type { IntentOrder, PaymentState } from '@bascule/contracts';
import { developmentAccounts } from '@bascule/local-stack';
import {
  developmentAddresses,
  intentEscrowAbi,
  legCall,
  orderId,
  refundText,
  serializeOrder,
} from '@bascule/solidity';
import type { Order, RefundInstruction } from '@bascule/solidity';
import { encodeFunctionData, erc20Abi, maxUint256, parseEventLogs } from 'viem';
import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { ChainPlayer } from './chain-player.fixture.js';
import { aPayment, bridgingLegs } from './payments.fixture.js';
import type { TestPayment } from './payments.fixture.js';
import { USDC } from './withdrawal-stage.fixture.js';

const operator = privateKeyToAccount(developmentAccounts[2].privateKey);
const solver = privateKeyToAccount(developmentAccounts[7].privateKey);
const { intentEscrow: escrow, usdc } = developmentAddresses;

/** Amount that the wallet put into the escrow. */
export const ORDERED = 100_000_000n;
export const ESCROW = escrow;

export interface OpenedOrder {
  payment: TestPayment;
  order: Order;
  id: Hex;
  /** The payment's state with the order in it. */
  state(status: IntentOrder['status'], change?: StateChange): PaymentState;
}

interface StateChange {
  version?: number;
  filledAmount?: bigint;
}

/** Creates a payment whose first leg has opened an order in the escrow. */
export async function openOrder(
  origin: ChainPlayer,
  owner: string,
  paymentStatus: PaymentState['payment']['status'] = 'FAILED',
): Promise<OpenedOrder> {
  const payment = aPayment(owner, { legs: bridgingLegs, status: paymentStatus });
  await origin.fund(USDC, payment.wallet, ORDERED);
  const leg = { legIndex: 0, amount: ORDERED, fees: [], calls: [] };
  const { logs } = await origin.send(legCall(payment.declaration, leg), operator);
  const [opened] = parseEventLogs({ abi: intentEscrowAbi, logs, eventName: 'Open' });
  if (opened === undefined) throw new Error('no order was opened');
  const { order } = opened.args;
  const id = orderId(order, escrow);
  return {
    payment,
    order,
    id,
    state: (status, { version = 1, filledAmount } = {}) => ({
      ...payment.state,
      version,
      intent_orders: [
        {
          leg_index: 0,
          chain: 'alphanet',
          escrow,
          order_id: id,
          order: serializeOrder(order),
          token: USDC,
          amount: ORDERED.toString(),
          status,
          ...(filledAmount === undefined ? {} : { filled_amount: filledAmount.toString() }),
        },
      ],
    }),
  };
}

const escrowCall = (data: Hex) => ({ to: escrow, data });

const FILLED_WITH = 99_000_000n;

function fillCall(order: Order, amount: bigint) {
  const args = [order, amount, solver.address] as const;
  return escrowCall(encodeFunctionData({ abi: intentEscrowAbi, functionName: 'fill', args }));
}

function approve(destination: ChainPlayer) {
  const args = [escrow, maxUint256] as const;
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args });
  return destination.send({ to: usdc, data }, solver);
}

/** The solver pays the wallet on the other chain. */
export async function fillOrder(destination: ChainPlayer, order: Order, amount = FILLED_WITH) {
  await approve(destination);
  return destination.send(fillCall(order, amount), solver);
}

/** Sends the fill into a block of that time, in unix seconds. Returns whether the order is filled then. */
export async function fillOrderAt(
  destination: ChainPlayer,
  order: Order,
  timestamp: bigint,
): Promise<boolean> {
  await approve(destination);
  await destination.client.setNextBlockTimestamp({ timestamp });
  const call = { ...fillCall(order, FILLED_WITH), gas: 500_000n };
  const { status } = await destination.send(call, solver);
  return status === 'success';
}

/** Submits a refund directly, as any holder of the owner's signature may once the oracle is not needed. */
export function refundDirectly(
  origin: ChainPlayer,
  order: Order,
  instruction: RefundInstruction,
  signature: Hex,
) {
  const data = encodeFunctionData({
    abi: intentEscrowAbi,
    functionName: 'refund',
    args: [order, instruction, signature],
  });
  return origin.send(escrowCall(data));
}

/** Refunds an order to its wallet, as anyone may. */
export function refundToWallet(origin: ChainPlayer, order: Order) {
  const args = [order] as const;
  return origin.send(
    escrowCall(encodeFunctionData({ abi: intentEscrowAbi, functionName: 'refundToWallet', args })),
  );
}

/** Parses the instruction from the text that the owner signs. */
export function instructionOf(text: string, order: Order): RefundInstruction {
  const line = (label: string) =>
    text
      .split('\n')
      .find((found) => found.startsWith(`${label}: `))
      ?.slice(label.length + 2) ?? '';
  const instruction = {
    recipient: line('Recipient') as Hex,
    fee: BigInt(line('Fee, taken from the amount')),
    feeReceiver: line('Fee receiver') as Hex,
    validUntil: BigInt(line('Valid until')),
  };
  if (refundText(order, instruction, escrow) !== text) throw new Error(`not a refund: ${text}`);
  return instruction;
}
